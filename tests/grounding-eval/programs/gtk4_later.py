"""More windows of GTK 4, each a function of its window and of what names a control."""

from gi.repository import Gtk


def margins(widget, size):
    for side in ["start", "end", "top", "bottom"]:
        getattr(widget, f"set_margin_{side}")(size)
    return widget


def icon(name, picture, text, mark):
    button = mark(name, Gtk.Button.new_from_icon_name(picture))
    button.set_tooltip_text(text)
    button.update_property([Gtk.AccessibleProperty.LABEL], [text])
    return button


def setting(text, name, widget, mark):
    line = Gtk.Box(spacing=12)
    label = mark(f"{name}-label", Gtk.Label(label=text, xalign=0, hexpand=True))
    label.set_mnemonic_widget(mark(name, widget))
    line.append(label)
    line.append(widget)
    return margins(line, 6)


def player(window, mark):
    head = Gtk.HeaderBar()
    head.pack_start(icon("library", "view-list-symbolic", "Library", mark))
    head.pack_end(icon("menu", "open-menu-symbolic", "Main menu", mark))
    head.pack_end(icon("find", "edit-find-symbolic", "Search", mark))
    window.set_titlebar(head)
    outer = margins(Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10), 14)
    tracks = Gtk.ListBox()
    for name, title, who, time in [
        ("t1", "Harbour lights", "The Ferrymen", "3:41"),
        ("t2", "Slow train", "Ida Moen", "4:05"),
        ("t3", "Harbour lights (live)", "The Ferrymen", "5:12"),
        ("t4", "Winter garden", "Ida Moen", "2:58"),
    ]:
        line = Gtk.Box(spacing=12)
        line.append(Gtk.Label(label=title, xalign=0, hexpand=True))
        line.append(Gtk.Label(label=who, xalign=0))
        line.append(Gtk.Label(label=time))
        tracks.append(mark(name, Gtk.ListBoxRow(child=margins(line, 8))))
    outer.append(tracks)
    seek = mark("seek", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 221, 1))
    seek.update_property([Gtk.AccessibleProperty.LABEL], ["Seek"])
    outer.append(seek)
    keys = Gtk.Box(spacing=8, halign=Gtk.Align.CENTER)
    for one in [
        ("prev", "media-skip-backward-symbolic", "Previous"),
        ("play", "media-playback-start-symbolic", "Play"),
        ("next", "media-skip-forward-symbolic", "Next"),
    ]:
        keys.append(icon(*one, mark))
    keys.append(mark("shuffle", Gtk.ToggleButton(label="Shuffle")))
    keys.append(mark("repeat", Gtk.ToggleButton(label="Repeat")))
    keys.append(mark("queue", Gtk.Button(label="Add to queue")))
    keys.append(mark("playlist", Gtk.Button(label="New playlist")))
    outer.append(keys)
    window.set_child(outer)


def screens(window, mark):
    side = Gtk.ListBox()
    side.set_size_request(150, -1)
    for name in ["Network", "Sound", "Displays", "Power", "Keyboard", "Users"]:
        side.append(mark(f"s-{name.lower()}", Gtk.ListBoxRow(child=margins(Gtk.Label(label=name, xalign=0), 8))))
    page = margins(Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=2), 14)
    modes = Gtk.Box(spacing=14)
    first = None
    for name, text in [("join", "Join displays"), ("mirror", "Mirror"), ("single", "Single display")]:
        radio = mark(name, Gtk.CheckButton(label=text, group=first))
        first = first or radio
        modes.append(radio)
    page.append(modes)
    page.append(setting("Orientation", "orientation", Gtk.DropDown.new_from_strings(["Landscape", "Portrait"]), mark))
    page.append(setting("Resolution", "resolution", Gtk.DropDown.new_from_strings(["2560 x 1600", "1280 x 800"]), mark))
    page.append(setting("Refresh rate", "rate", Gtk.DropDown.new_from_strings(["60 Hz", "120 Hz"]), mark))
    page.append(setting("Night light", "night", Gtk.Switch(valign=Gtk.Align.CENTER), mark))
    page.append(setting("Adjust for TV", "tv", Gtk.Switch(valign=Gtk.Align.CENTER), mark))
    bright = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
    bright.set_size_request(180, -1)
    page.append(setting("Brightness", "bright", bright, mark))
    end = Gtk.Box(spacing=10)
    end.append(mark("identify", Gtk.Button(label="Identify")))
    end.append(mark("apply", Gtk.Button(label="Apply", css_classes=["suggested-action"])))
    end.append(mark("revert", Gtk.Button(label="Revert")))
    page.append(margins(end, 6))
    both = Gtk.Box()
    both.append(side)
    both.append(page)
    window.set_child(both)


def notes(window, mark):
    head = Gtk.HeaderBar()
    head.pack_start(mark("new", Gtk.Button(label="New note")))
    head.pack_end(icon("menu", "open-menu-symbolic", "Menu", mark))
    head.pack_end(icon("share", "send-to-symbolic", "Share", mark))
    window.set_titlebar(head)
    both = Gtk.Box()
    side = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    side.append(mark("find", Gtk.SearchEntry(placeholder_text="Search notes")))
    rows = Gtk.ListBox()
    for name, title, day in [
        ("n1", "Shopping", "Today"),
        ("n2", "Ideas for the garden", "Yesterday"),
        ("n3", "Shopping for the party", "2 June"),
        ("n4", "Wifi at the cabin", "28 May"),
    ]:
        line = Gtk.Box(spacing=10)
        line.append(Gtk.Label(label=title, xalign=0, hexpand=True))
        line.append(Gtk.Label(label=day))
        rows.append(mark(name, Gtk.ListBoxRow(child=margins(line, 8))))
    side.append(rows)
    side.set_size_request(260, -1)
    both.append(side)
    page = margins(Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10), 14)
    title = mark("title", Gtk.Entry(text="Shopping", hexpand=True))
    title.update_property([Gtk.AccessibleProperty.LABEL], ["Title"])
    page.append(title)
    for name, text, done in [("milk", "Milk", True), ("bread", "Rye bread", False), ("soap", "Soap", False)]:
        page.append(mark(name, Gtk.CheckButton(label=text, active=done)))
    end = Gtk.Box(spacing=8)
    for name, text in [("item", "Add item"), ("done", "Hide done"), ("remove", "Delete note"), ("pdf", "Export as PDF")]:
        end.append(mark(name, Gtk.Button(label=text)))
    page.append(end)
    both.append(page)
    window.set_child(both)


def typing(window, mark):
    book = Gtk.Notebook()
    page = margins(Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=2), 14)
    page.append(setting("Font", "font", Gtk.Button(label="Monospace 11"), mark))
    page.append(setting("Colour scheme", "scheme", Gtk.DropDown.new_from_strings(["Light", "Dark", "Follow system"]), mark))
    page.append(setting("Tab width", "tab", Gtk.SpinButton.new_with_range(1, 8, 1), mark))
    page.append(setting("Line numbers", "lines", Gtk.Switch(active=True, valign=Gtk.Align.CENTER), mark))
    page.append(setting("Right margin", "margin", Gtk.Switch(valign=Gtk.Align.CENTER), mark))
    page.append(setting("Spell checking", "spell", Gtk.Switch(valign=Gtk.Align.CENTER), mark))
    page.append(setting("Save automatically", "auto", Gtk.Switch(active=True, valign=Gtk.Align.CENTER), mark))
    end = Gtk.Box(spacing=10)
    end.append(mark("reset", Gtk.Button(label="Reset to defaults", css_classes=["destructive-action"])))
    end.append(mark("close", Gtk.Button(label="Close")))
    page.append(margins(end, 6))
    for name, text, child in [
        ("tab-view", "View", page),
        ("tab-keys", "Shortcuts", Gtk.Label(label="None")),
        ("tab-plug", "Plugins", Gtk.Label(label="None")),
    ]:
        book.append_page(child, mark(name, Gtk.Label(label=text)))
    window.set_child(book)


def weather(window, mark):
    head = Gtk.HeaderBar()
    head.pack_start(icon("here", "find-location-symbolic", "Current location", mark))
    head.pack_end(icon("menu", "open-menu-symbolic", "Main menu", mark))
    head.pack_end(icon("reload", "view-refresh-symbolic", "Refresh", mark))
    window.set_titlebar(head)
    outer = margins(Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8), 14)
    outer.append(mark("find", Gtk.SearchEntry(placeholder_text="Find a place")))
    days = Gtk.ListBox()
    for name, day, sky, low, high in [
        ("today", "Today", "Light rain", "9", "14"),
        ("tue", "Tuesday", "Cloudy", "8", "15"),
        ("wed", "Wednesday", "Sunny", "10", "21"),
        ("thu", "Thursday", "Thunder", "13", "19"),
    ]:
        line = Gtk.Box(spacing=14)
        line.append(Gtk.Label(label=day, xalign=0, hexpand=True))
        for text in [sky, f"{low} °C", f"{high} °C"]:
            line.append(Gtk.Label(label=text))
        days.append(mark(name, Gtk.ListBoxRow(child=margins(line, 8))))
    outer.append(days)
    outer.append(setting("Units", "units", Gtk.DropDown.new_from_strings(["Celsius", "Fahrenheit"]), mark))
    outer.append(setting("Warn of frost", "frost", Gtk.Switch(valign=Gtk.Align.CENTER), mark))
    outer.append(setting("Warn of storms", "storms", Gtk.Switch(active=True, valign=Gtk.Align.CENTER), mark))
    end = Gtk.Box(spacing=8)
    for name, text in [("radar", "Rain radar"), ("hours", "Hour by hour"), ("pin", "Keep on the desktop"), ("forget", "Remove place")]:
        end.append(mark(name, Gtk.Button(label=text)))
    outer.append(end)
    window.set_child(outer)


LATER = {
    "weather": (weather, (600, 480)),
    "player": (player, (640, 360)),
    "screens": (screens, (600, 420)),
    "notes": (notes, (700, 380)),
    "typing": (typing, (560, 440)),
}
