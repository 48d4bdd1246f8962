"""Windows of GTK 3: `gtk3.py preferences`, `files`, `account`, `export` and `backups`. Prints where its controls are."""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

from gtk3_later import LATER  # noqa: E402
from place import tell  # noqa: E402

named = {}
cells = []


def mark(name, widget):
    named[name] = widget
    return widget


def labelled(text, widget):
    box = Gtk.Box(spacing=12)
    label = Gtk.Label(label=text, xalign=0)
    label.set_mnemonic_widget(widget)
    box.pack_start(label, True, True, 0)
    box.pack_start(widget, False, False, 0)
    return box, label


def preferences(window):
    book = Gtk.Notebook()
    page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=18)
    for name, text, on in [
        ("wrap", "Wrap long lines", True),
        ("numbers", "Show line numbers", False),
        ("spaces", "Insert spaces instead of tabs", False),
        ("backup", "Make a backup copy before saving", True),
    ]:
        page.pack_start(mark(name, Gtk.CheckButton(label=text, active=on)), False, False, 0)
    spin = mark("tabwidth", Gtk.SpinButton.new_with_range(1, 16, 1))
    row, named["tabwidth-label"] = labelled("Tab width", spin)
    page.pack_start(row, False, False, 0)
    combo = mark("scheme", Gtk.ComboBoxText())
    for text in ["Classic", "Cobalt", "Kate"]:
        combo.append_text(text)
    combo.set_active(1)
    row, named["scheme-label"] = labelled("Colour scheme", combo)
    page.pack_start(row, False, False, 0)
    entry = mark("folder", Gtk.Entry(text="/home/kim/notes"))
    row, named["folder-label"] = labelled("Default folder", entry)
    page.pack_start(row, False, False, 0)
    radios = Gtk.Box(spacing=16)
    first = mark("indent-auto", Gtk.RadioButton(label="Automatic"))
    radios.pack_start(first, False, False, 0)
    radios.pack_start(mark("indent-off", Gtk.RadioButton(group=first, label="None")), False, False, 0)
    frame = Gtk.Frame(label="Indentation")
    frame.add(radios)
    page.pack_start(frame, False, False, 0)
    for name, text in [("tab-editor", "Editor"), ("tab-fonts", "Fonts"), ("tab-plugins", "Plugins")]:
        child = page if text == "Editor" else Gtk.Label(label=f"Nothing to set for {text.lower()}")
        book.append_page(child, mark(name, Gtk.Label(label=text)))
    buttons = Gtk.Box(spacing=10, margin=12)
    buttons.pack_start(mark("help", Gtk.Button(label="Help")), False, False, 0)
    buttons.pack_end(mark("close", Gtk.Button(label="Close")), False, False, 0)
    buttons.pack_end(mark("restore", Gtk.Button(label="Restore defaults")), False, False, 0)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    outer.pack_start(book, True, True, 0)
    outer.pack_start(buttons, False, False, 0)
    window.add(outer)


def files(window):
    bar = Gtk.MenuBar()
    for name in ["File", "Edit", "View", "Go", "Help"]:
        bar.append(mark(f"menu-{name.lower()}", Gtk.MenuItem(label=name)))
    tools = Gtk.Box(spacing=8, margin=8)
    for name, text in [("back", "Back"), ("forward", "Forward"), ("up", "Parent folder")]:
        tools.pack_start(mark(name, Gtk.Button(label=text)), False, False, 0)
    tools.pack_end(mark("find", Gtk.SearchEntry(placeholder_text="Find files")), False, False, 0)
    store = Gtk.ListStore(str, str, str)
    rows = [
        ("Accounts 2025.ods", "Spreadsheet", "48 kB"),
        ("Birthday cake.jpg", "Picture", "2.1 MB"),
        ("Concert tickets.pdf", "Document", "310 kB"),
        ("Garden design.odt", "Text", "77 kB"),
        ("Holiday video.mp4", "Video", "640 MB"),
        ("Recipes.txt", "Text", "4 kB"),
    ]
    for row in rows:
        store.append(row)
    view = Gtk.TreeView(model=store)
    for n, title in enumerate(["Name", "Type", "Size"]):
        column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=n)
        column.set_min_width(200)
        column.set_sort_column_id(n)
        view.append_column(column)
        mark(f"col-{title.lower()}", column.get_button())
    for n, row in enumerate(rows):
        cells.append((row[0].split(".")[0].split(" ")[0].lower(), view, n))
    side = Gtk.ListBox()
    for name in ["Home", "Desktop", "Downloads", "Music", "Wastebasket"]:
        side.add(mark(f"side-{name.lower()}", Gtk.ListBoxRow(child=Gtk.Label(label=name, xalign=0, margin=8))))
    side.set_size_request(150, -1)
    middle = Gtk.Box()
    middle.pack_start(side, False, False, 0)
    middle.pack_start(view, True, True, 0)
    bottom = Gtk.Box(spacing=8, margin=8)
    bottom.pack_start(Gtk.Label(label="6 items, 12.4 GB free"), False, False, 0)
    bottom.pack_end(mark("open", Gtk.Button(label="Open")), False, False, 0)
    bottom.pack_end(mark("rename", Gtk.Button(label="Rename")), False, False, 0)
    bottom.pack_end(mark("bin", Gtk.Button(label="Move to wastebasket")), False, False, 0)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child, grows in [(bar, False), (tools, False), (middle, True), (bottom, False)]:
        outer.pack_start(child, grows, grows, 0)
    window.add(outer)


def account(window):
    book = Gtk.Notebook()
    grid = Gtk.Grid(row_spacing=12, column_spacing=16, margin=18)
    for row, (name, text, hidden) in enumerate(
        [("name", "Your name", False), ("mail", "Email address", False), ("password", "Password", True)]
    ):
        entry = mark(name, Gtk.Entry(hexpand=True, visibility=not hidden))
        named[f"{name}-label"] = label = Gtk.Label(label=text, xalign=0)
        label.set_mnemonic_widget(entry)
        grid.attach(label, 0, row, 1, 1)
        grid.attach(entry, 1, row, 1, 1)
    combo = mark("kind", Gtk.ComboBoxText())
    for text in ["IMAP", "POP3", "Exchange"]:
        combo.append_text(text)
    combo.set_active(0)
    named["kind-label"] = label = Gtk.Label(label="Server type", xalign=0)
    label.set_mnemonic_widget(combo)
    grid.attach(label, 0, 3, 1, 1)
    grid.attach(combo, 1, 3, 1, 1)
    grid.attach(mark("remember", Gtk.CheckButton(label="Remember the password", active=True)), 1, 4, 1, 1)
    grid.attach(mark("secure", Gtk.CheckButton(label="Use a secure connection")), 1, 5, 1, 1)
    grid.attach(mark("test", Gtk.Button(label="Test connection", halign=Gtk.Align.START)), 1, 6, 1, 1)
    for name, text, child in [("tab-basic", "Basic", grid), ("tab-advanced", "Advanced", Gtk.Label(label="Nothing yet"))]:
        book.append_page(child, mark(name, Gtk.Label(label=text)))
    buttons = Gtk.Box(spacing=10, margin=12)
    buttons.pack_start(mark("cancel", Gtk.Button(label="Cancel")), False, False, 0)
    buttons.pack_end(mark("next", Gtk.Button(label="Next")), False, False, 0)
    buttons.pack_end(mark("previous", Gtk.Button(label="Previous")), False, False, 0)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    outer.pack_start(book, True, True, 0)
    outer.pack_start(buttons, False, False, 0)
    window.add(outer)


def export(window):
    grid = Gtk.Grid(row_spacing=12, column_spacing=16, margin=18)
    named["filename-label"] = Gtk.Label(label="File name", xalign=0)
    named["quality-label"] = Gtk.Label(label="Quality", xalign=0)
    named["format-label"] = Gtk.Label(label="Format", xalign=0)
    combo = Gtk.ComboBoxText()
    for text in ["PNG", "JPEG", "PDF"]:
        combo.append_text(text)
    combo.set_active(0)
    for row, (name, widget) in enumerate(
        [("filename", Gtk.Entry(hexpand=True)), ("quality", Gtk.SpinButton.new_with_range(1, 100, 1)), ("format", combo)]
    ):
        named[f"{name}-label"].set_mnemonic_widget(mark(name, widget))
        grid.attach(named[f"{name}-label"], 0, row, 1, 1)
        grid.attach(widget, 1, row, 1, 1)
    grid.attach(mark("hidden", Gtk.CheckButton(label="Include hidden layers")), 1, 3, 1, 1)
    grid.attach(mark("openafter", Gtk.CheckButton(label="Open the folder afterwards", active=True)), 1, 4, 1, 1)
    portrait = mark("portrait", Gtk.RadioButton(label="Portrait"))
    grid.attach(portrait, 0, 5, 1, 1)
    grid.attach(mark("landscape", Gtk.RadioButton(group=portrait, label="Landscape")), 1, 5, 1, 1)
    buttons = Gtk.Box(spacing=10, margin=12)
    buttons.pack_start(mark("choose", Gtk.Button(label="Choose a folder")), False, False, 0)
    buttons.pack_end(mark("export", Gtk.Button(label="Export")), False, False, 0)
    buttons.pack_end(mark("cancel", Gtk.Button(label="Cancel")), False, False, 0)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    outer.pack_start(grid, True, True, 0)
    outer.pack_start(buttons, False, False, 0)
    window.add(outer)


def backups(window):
    head = Gtk.HeaderBar(title="Backups", show_close_button=True)
    for name, icon, text in [("add", "list-add-symbolic", "Add a folder"), ("refresh", "view-refresh-symbolic", "Check again")]:
        button = mark(name, Gtk.Button.new_from_icon_name(icon, Gtk.IconSize.BUTTON))
        button.set_tooltip_text(text)
        button.get_accessible().set_name(text)
        head.pack_start(button)
    head.pack_end(mark("now", Gtk.Button(label="Back up now")))
    window.set_titlebar(head)
    store = Gtk.ListStore(str, str, str)
    rows = [("Documents", "Yesterday", "Complete"), ("Pictures", "3 March", "Failed"), ("Projects", "Today", "Complete")]
    for row in rows:
        store.append(row)
    view = Gtk.TreeView(model=store)
    for n, title in enumerate(["Folder", "Last backup", "Result"]):
        column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=n)
        column.set_min_width(170)
        view.append_column(column)
        mark(f"col-{n}", column.get_button())
    for n, row in enumerate(rows):
        cells.append((row[0].lower(), view, n))
    grid = Gtk.Grid(row_spacing=10, column_spacing=16, margin=16)
    often = Gtk.ComboBoxText()
    for text in ["Every day", "Every week"]:
        often.append_text(text)
    often.set_active(0)
    for n, (name, text, widget) in enumerate(
        [
            ("often", "How often", often),
            ("keep", "Keep for (months)", Gtk.SpinButton.new_with_range(1, 24, 1)),
            ("server", "Server", Gtk.Entry(hexpand=True, text="nas.local")),
            ("encrypt", "Encrypt backups", Gtk.Switch(halign=Gtk.Align.START)),
            ("battery", "Run on battery", Gtk.Switch(halign=Gtk.Align.START, active=True)),
        ]
    ):
        label = mark(f"{name}-label", Gtk.Label(label=text, xalign=0))
        label.set_mnemonic_widget(mark(name, widget))
        grid.attach(label, 0, n, 1, 1)
        grid.attach(widget, 1, n, 1, 1)
    bottom = Gtk.Box(spacing=10, margin=12)
    bottom.pack_start(mark("restore", Gtk.Button(label="Restore files")), False, False, 0)
    bottom.pack_start(mark("details", Gtk.LinkButton(uri="http://x.example", label="What went wrong?")), False, False, 0)
    bottom.pack_end(mark("forget", Gtk.Button(label="Forget folder")), False, False, 0)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child, grows in [(view, True), (grid, False), (bottom, False)]:
        outer.pack_start(child, grows, grows, 0)
    window.add(outer)


def places(window):
    told = {}
    for name, widget in named.items():
        x, y = widget.translate_coordinates(window, 0, 0)
        told[name] = [x, y, widget.get_allocated_width(), widget.get_allocated_height()]
    for name, view, n in cells:
        area = view.get_background_area(Gtk.TreePath(n), None)
        left, top = view.convert_bin_window_to_widget_coords(0, area.y)
        x, y = view.translate_coordinates(window, left, top)
        told[f"row-{name}"] = [x, y, view.get_allocated_width(), area.height]
    return told


window = Gtk.Window(title=sys.argv[1].capitalize())
show, size = {
    "preferences": (preferences, (620, 520)),
    "files": (files, (860, 560)),
    "account": (account, (560, 440)),
    "export": (export, (520, 380)),
    "backups": (backups, (660, 480)),
    **{name: (lambda window, show=show: show(window, mark, cells), size) for name, (show, size) in LATER.items()},
}[sys.argv[1]]
window.set_default_size(*size)
show(window)
window.connect("destroy", Gtk.main_quit)
window.show_all()
GLib.timeout_add(900, lambda: tell(places(window)))
Gtk.main()
