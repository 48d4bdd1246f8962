"""Windows of GTK 4: `gtk4.py contact`, `music`, `tasks`, `network`, `privacy` and `timer`. Prints where its controls are."""

import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

from gtk4_later import LATER  # noqa: E402
from place import tell  # noqa: E402

named = {}


def mark(name, widget):
    named[name] = widget
    return widget


def margins(widget, size):
    for side in ["start", "end", "top", "bottom"]:
        getattr(widget, f"set_margin_{side}")(size)
    return widget


def contact(window):
    grid = margins(Gtk.Grid(row_spacing=10, column_spacing=14), 18)
    for row, (name, text) in enumerate(
        [("name", "Full name"), ("phone", "Phone"), ("mail", "Email"), ("street", "Street"), ("town", "Town")]
    ):
        entry = mark(name, Gtk.Entry(hexpand=True))
        label = mark(f"{name}-label", Gtk.Label(label=text, xalign=0))
        label.set_mnemonic_widget(entry)
        entry.update_relation([Gtk.AccessibleRelation.LABELLED_BY], [Gtk.AccessibleList.new_from_list([label])]) if hasattr(
            Gtk, "AccessibleList"
        ) else None
        grid.attach(label, 0, row, 1, 1)
        grid.attach(entry, 1, row, 1, 1)
    grid.attach(Gtk.Label(label="Group", xalign=0), 0, 5, 1, 1)
    grid.attach(mark("group", Gtk.DropDown.new_from_strings(["Friends", "Family", "Work"])), 1, 5, 1, 1)
    grid.attach(mark("favourite", Gtk.CheckButton(label="Show among favourites")), 1, 6, 1, 1)
    grid.attach(mark("birthday", Gtk.CheckButton(label="Remind me of the birthday")), 1, 7, 1, 1)
    buttons = margins(Gtk.Box(spacing=10), 12)
    for name, text, style in [
        ("delete", "Delete contact", "destructive-action"),
        ("photo", "Choose a picture", None),
        ("cancel", "Cancel", None),
        ("save", "Save contact", "suggested-action"),
    ]:
        button = mark(name, Gtk.Button(label=text))
        if style:
            button.add_css_class(style)
        buttons.append(button)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    outer.append(grid)
    outer.append(buttons)
    window.set_child(outer)


def music(window):
    tools = margins(Gtk.Box(spacing=8), 10)
    for name, text in [("play", "Play"), ("stop", "Stop"), ("skip", "Skip"), ("addfolder", "Add folder")]:
        tools.append(mark(name, Gtk.Button(label=text)))
    tools.append(mark("search", Gtk.SearchEntry(placeholder_text="Search songs", hexpand=True)))
    songs = Gtk.ListBox(vexpand=True)
    for name, title, artist, length in [
        ("harbour", "Harbour lights", "The Lanterns", "3:12"),
        ("northern", "Northern train", "Ida Falk", "4:40"),
        ("paper", "Paper boats", "The Lanterns", "2:58"),
        ("winter", "Winter garden", "Oskar Lund", "5:21"),
        ("golden", "Golden hour", "Ida Falk", "3:33"),
    ]:
        row = margins(Gtk.Box(spacing=20), 8)
        row.append(Gtk.Label(label=title, xalign=0, hexpand=True))
        row.append(Gtk.Label(label=artist, xalign=0, width_chars=16))
        row.append(Gtk.Label(label=length))
        row.append(mark(f"edit-{name}", Gtk.Button(label="Edit")))
        songs.append(mark(name, Gtk.ListBoxRow(child=row)))
    bottom = margins(Gtk.Box(spacing=14), 10)
    bottom.append(mark("repeat", Gtk.CheckButton(label="Repeat")))
    bottom.append(mark("mix", Gtk.CheckButton(label="Random order")))
    bottom.append(Gtk.Label(label="Volume", hexpand=True, xalign=1))
    volume = mark("volume", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
    volume.set_size_request(160, -1)
    bottom.append(volume)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child in [tools, songs, bottom]:
        outer.append(child)
    window.set_child(outer)


def tasks(window):
    top = margins(Gtk.Box(spacing=8), 10)
    top.append(mark("entry", Gtk.Entry(placeholder_text="What needs to be done?", hexpand=True)))
    top.append(mark("newtask", Gtk.Button(label="New task")))
    items = Gtk.ListBox(vexpand=True)
    for name, title, due in [
        ("water", "Water the plants", "today"),
        ("dentist", "Call the dentist", "Friday"),
        ("rent", "Pay the rent", "1 June"),
    ]:
        row = margins(Gtk.Box(spacing=16), 8)
        row.append(Gtk.Label(label=title, xalign=0, hexpand=True))
        row.append(Gtk.Label(label=due, width_chars=10))
        row.append(mark(f"done-{name}", Gtk.Button(label="Done")))
        row.append(mark(f"del-{name}", Gtk.Button(label="Delete")))
        items.append(mark(name, Gtk.ListBoxRow(child=row)))
    bottom = margins(Gtk.Box(spacing=10), 10)
    bottom.append(mark("finished", Gtk.CheckButton(label="Show finished tasks", hexpand=True)))
    bottom.append(mark("sort", Gtk.Button(label="Sort by date")))
    bottom.append(mark("clearall", Gtk.Button(label="Clear all")))
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child in [top, items, bottom]:
        outer.append(child)
    window.set_child(outer)


def network(window):
    items = Gtk.ListBox(vexpand=True)
    for name, title, strength in [
        ("cafe", "Harbour Cafe", "strong"),
        ("library", "Library Guest", "weak"),
        ("home", "Home", "good"),
    ]:
        row = margins(Gtk.Box(spacing=16), 8)
        row.append(Gtk.Label(label=title, xalign=0, hexpand=True))
        row.append(Gtk.Label(label=strength, width_chars=10))
        row.append(mark(f"con-{name}", Gtk.Button(label="Connect")))
        row.append(mark(f"forget-{name}", Gtk.Button(label="Forget")))
        items.append(mark(name, Gtk.ListBoxRow(child=row)))
    bottom = margins(Gtk.Box(spacing=10), 10)
    bottom.append(mark("airplane", Gtk.CheckButton(label="Airplane mode", hexpand=True)))
    bottom.append(mark("scan", Gtk.Button(label="Scan again")))
    bottom.append(mark("add", Gtk.Button(label="Add network")))
    proxy = margins(Gtk.Box(spacing=14), 10)
    named["proxy-label"] = label = Gtk.Label(label="Proxy address")
    entry = mark("proxy", Gtk.Entry(hexpand=True))
    label.set_mnemonic_widget(entry)
    proxy.append(label)
    proxy.append(entry)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child in [items, proxy, bottom]:
        outer.append(child)
    window.set_child(outer)


def privacy(window):
    head = Gtk.HeaderBar()
    head.pack_start(mark("back", Gtk.Button(icon_name="go-previous-symbolic", tooltip_text="Back")))
    head.pack_end(mark("find", Gtk.ToggleButton(icon_name="edit-find-symbolic", tooltip_text="Search settings")))
    window.set_titlebar(head)
    items = Gtk.ListBox(selection_mode=Gtk.SelectionMode.NONE)
    for name, title, told, on in [
        ("location", "Location services", "Apps may ask where you are", False),
        ("camera", "Camera", "Apps may use the camera", True),
        ("micro", "Microphone", "Apps may use the microphone", True),
        ("history", "File history", "Remember which files were opened", True),
    ]:
        row = margins(Gtk.Box(spacing=16), 8)
        words = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, hexpand=True)
        label = mark(f"{name}-label", Gtk.Label(label=title, xalign=0))
        words.append(label)
        hint = Gtk.Label(label=told, xalign=0)
        hint.add_css_class("dim-label")
        words.append(hint)
        switch = mark(name, Gtk.Switch(active=on, valign=Gtk.Align.CENTER))
        label.set_mnemonic_widget(switch)
        row.append(words)
        row.append(switch)
        items.append(Gtk.ListBoxRow(child=row))
    form = margins(Gtk.Grid(row_spacing=10, column_spacing=14), 12)
    for n, (name, text, widget) in enumerate(
        [
            ("lock", "Lock the screen after", Gtk.DropDown.new_from_strings(["1 minute", "5 minutes", "Never"])),
            ("days", "Empty the bin after (days)", Gtk.SpinButton.new_with_range(1, 90, 1)),
        ]
    ):
        label = mark(f"{name}-label", Gtk.Label(label=text, xalign=0, hexpand=True))
        label.set_mnemonic_widget(mark(name, widget))
        form.attach(label, 0, n, 1, 1)
        form.attach(widget, 1, n, 1, 1)
    bottom = margins(Gtk.Box(spacing=10), 12)
    bottom.append(mark("policy", Gtk.LinkButton(uri="http://x.example", label="Privacy policy", hexpand=True, halign=Gtk.Align.START)))
    bottom.append(mark("clear", Gtk.Button(label="Clear history…")))
    empty = mark("empty", Gtk.Button(label="Empty bin…"))
    empty.add_css_class("destructive-action")
    bottom.append(empty)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child in [items, form, bottom]:
        outer.append(child)
    window.set_child(outer)


def timer(window):
    head = Gtk.HeaderBar()
    stack = Gtk.Stack(vexpand=True)
    switcher = Gtk.StackSwitcher(stack=stack)
    head.set_title_widget(switcher)
    head.pack_start(mark("add", Gtk.Button(icon_name="list-add-symbolic", tooltip_text="Add alarm")))
    head.pack_end(mark("menu", Gtk.MenuButton(icon_name="open-menu-symbolic", tooltip_text="Main menu")))
    window.set_titlebar(head)
    page = margins(Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10), 16)
    for name, time, text, on in [("wake", "06:45", "Wake up", True), ("school", "08:10", "School run", False), ("pills", "21:00", "Medicine", True)]:
        row = Gtk.Box(spacing=16)
        row.append(mark(f"time-{name}", Gtk.Label(label=time, width_chars=7)))
        label = mark(f"{name}-label", Gtk.Label(label=text, xalign=0, hexpand=True))
        row.append(label)
        row.append(mark(f"edit-{name}", Gtk.Button(label="Edit")))
        switch = mark(name, Gtk.Switch(active=on, valign=Gtk.Align.CENTER))
        label.set_mnemonic_widget(switch)
        row.append(switch)
        page.append(row)
    form = Gtk.Grid(row_spacing=10, column_spacing=14)
    for n, (name, text, widget) in enumerate(
        [
            ("sound", "Alarm sound", Gtk.DropDown.new_from_strings(["Bells", "Birdsong"])),
            ("snooze", "Snooze (minutes)", Gtk.SpinButton.new_with_range(1, 30, 1)),
            ("title", "Label", Gtk.Entry(hexpand=True)),
        ]
    ):
        label = mark(f"{name}-label", Gtk.Label(label=text, xalign=0))
        label.set_mnemonic_widget(mark(name, widget))
        form.attach(label, 0, n, 1, 1)
        form.attach(widget, 1, n, 1, 1)
    page.append(form)
    bottom = Gtk.Box(spacing=10)
    bottom.append(mark("vibrate", Gtk.CheckButton(label="Vibrate", hexpand=True)))
    bottom.append(mark("remove", Gtk.Button(label="Delete alarm")))
    bottom.append(mark("save", Gtk.Button(label="Save")))
    page.append(bottom)
    stack.add_titled(page, "alarms", "Alarms")
    stack.add_titled(Gtk.Label(label="Nothing here"), "watch", "Stopwatch")
    window.set_child(stack)


def places():
    told = {}
    for name, widget in named.items():
        known, bounds = widget.compute_bounds(window)
        if known:
            told[name] = [bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height]
    return told


loop = GLib.MainLoop()
Gtk.init()
window = Gtk.Window(title=sys.argv[1].capitalize())
show, size = {
    "contact": (contact, (640, 470)),
    "music": (music, (760, 440)),
    "tasks": (tasks, (640, 380)),
    "network": (network, (620, 360)),
    "privacy": (privacy, (600, 480)),
    "timer": (timer, (580, 420)),
    **{name: (lambda window, show=show: show(window, mark), size) for name, (show, size) in LATER.items()},
}[sys.argv[1]]
window.set_default_size(*size)
show(window)
window.connect("close-request", lambda *_: loop.quit())
window.present()
GLib.timeout_add(1200, lambda: tell(places()))
loop.run()
