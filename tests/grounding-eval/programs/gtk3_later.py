"""More windows of GTK 3, each a function of its window and of what names a control."""

from gi.repository import Gtk


def row(grid, n, text, name, widget, mark):
    label = mark(f"{name}-label", Gtk.Label(label=text, xalign=0))
    label.set_mnemonic_widget(mark(name, widget))
    grid.attach(label, 0, n, 1, 1)
    grid.attach(widget, 1, n, 1, 1)


def choices(texts, active=0):
    combo = Gtk.ComboBoxText()
    for text in texts:
        combo.append_text(text)
    combo.set_active(active)
    return combo


def table(view_rows, columns, mark, cells, names):
    store = Gtk.ListStore(*[str] * len(columns))
    for one in view_rows:
        store.append(one)
    view = Gtk.TreeView(model=store)
    for n, title in enumerate(columns):
        column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=n)
        column.set_min_width(150)
        column.set_sort_column_id(n)
        view.append_column(column)
        mark(f"col-{n}", column.get_button())
    cells.extend((name, view, n) for n, name in enumerate(names))
    return view


def archive(window, mark, cells):
    tools = Gtk.Toolbar(toolbar_style=Gtk.ToolbarStyle.BOTH)
    for name, icon, text in [
        ("open", "document-open", "Open"),
        ("extract", "edit-redo", "Extract"),
        ("add", "list-add", "Add files"),
        ("stop", "process-stop", "Stop"),
    ]:
        tools.insert(mark(name, Gtk.ToolButton(icon_widget=Gtk.Image.new_from_icon_name(icon, Gtk.IconSize.LARGE_TOOLBAR), label=text)), -1)
    place = Gtk.Box(spacing=8, margin=6)
    up = mark("up", Gtk.Button.new_from_icon_name("go-up-symbolic", Gtk.IconSize.BUTTON))
    up.get_accessible().set_name("Up one level")
    place.pack_start(up, False, False, 0)
    label = mark("location-label", Gtk.Label(label="Location:"))
    label.set_mnemonic_widget(mark("location", Gtk.Entry(text="/photos/2026", hexpand=True)))
    place.pack_start(label, False, False, 0)
    place.pack_start(label.get_mnemonic_widget(), True, True, 0)
    view = table(
        [
            ("beach.jpg", "3.1 MB", "2 May"),
            ("cabin.jpg", "2.7 MB", "2 May"),
            ("index.html", "12 kB", "9 May"),
            ("notes.txt", "1 kB", "9 May"),
            ("sunset.jpg", "3.1 MB", "11 May"),
        ],
        ["Name", "Size", "Modified"],
        mark,
        cells,
        ["beach", "cabin", "index", "notes", "sunset"],
    )
    bottom = Gtk.Box(spacing=8, margin=8)
    bottom.pack_start(mark("password", Gtk.CheckButton(label="Encrypt the list of files")), False, False, 0)
    bottom.pack_end(mark("close", Gtk.Button(label="Close")), False, False, 0)
    bottom.pack_end(mark("test", Gtk.Button(label="Test integrity")), False, False, 0)
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child, grows in [(tools, False), (place, False), (view, True), (bottom, False)]:
        outer.pack_start(child, grows, grows, 0)
    window.add(outer)


def printing(window, mark, cells):
    book = Gtk.Notebook()
    page = Gtk.Grid(row_spacing=10, column_spacing=18, margin=16)
    row(page, 0, "Printer", "printer", choices(["Office Laser", "Print to file"]), mark)
    row(page, 1, "Copies", "copies", Gtk.SpinButton.new_with_range(1, 99, 1), mark)
    page.attach(mark("collate", Gtk.CheckButton(label="Collate")), 1, 2, 1, 1)
    page.attach(mark("reverse", Gtk.CheckButton(label="Reverse order")), 1, 3, 1, 1)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=8)
    first = None
    for name, text in [("range-all", "All pages"), ("range-current", "Current page"), ("range-some", "Pages:")]:
        radio = mark(name, Gtk.RadioButton(group=first, label=text))
        first = first or radio
        if name == "range-some":
            both = Gtk.Box(spacing=8)
            both.pack_start(radio, False, False, 0)
            pages = mark("pages", Gtk.Entry(placeholder_text="1-3, 7"))
            pages.get_accessible().set_name("Page range")
            both.pack_start(pages, False, False, 0)
            radio = both
        box.pack_start(radio, False, False, 0)
    frame = Gtk.Frame(label="Range")
    frame.add(box)
    page.attach(frame, 0, 4, 2, 1)
    row(page, 5, "Two-sided", "sides", choices(["Off", "Long edge", "Short edge"]), mark)
    row(page, 6, "Draft quality", "draft", Gtk.Switch(halign=Gtk.Align.START), mark)
    for name, text, child in [
        ("tab-general", "General", page),
        ("tab-setup", "Page setup", Gtk.Label(label="Paper")),
        ("tab-job", "Job", Gtk.Label(label="When")),
    ]:
        book.append_page(child, mark(name, Gtk.Label(label=text)))
    buttons = Gtk.ButtonBox(layout_style=Gtk.ButtonBoxStyle.END, spacing=8, margin=10)
    for name, text in [("preview", "Preview"), ("cancel", "Cancel"), ("print", "Print")]:
        buttons.add(mark(name, Gtk.Button(label=text)))
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    outer.pack_start(book, True, True, 0)
    outer.pack_start(buttons, False, False, 0)
    window.add(outer)


def people(window, mark, cells):
    head = Gtk.HeaderBar(title="People", show_close_button=True)
    head.pack_start(mark("new", Gtk.Button(label="New person")))
    head.pack_end(mark("import", Gtk.Button(label="Import")))
    window.set_titlebar(head)
    both = Gtk.Box()
    left = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    left.pack_start(mark("find", Gtk.SearchEntry(placeholder_text="Find people")), False, False, 6)
    names = Gtk.ListBox()
    for name in ["Aylin Kaya", "Bruno Costa", "Chidi Obi", "Dora Weiss"]:
        names.add(mark(name.split(" ")[0].lower(), Gtk.ListBoxRow(child=Gtk.Label(label=name, xalign=0, margin=9))))
    left.pack_start(names, True, True, 0)
    left.set_size_request(200, -1)
    both.pack_start(left, False, False, 0)
    page = Gtk.Grid(row_spacing=10, column_spacing=14, margin=16)
    row(page, 0, "First name", "first", Gtk.Entry(text="Bruno"), mark)
    row(page, 1, "Last name", "last", Gtk.Entry(text="Costa"), mark)
    row(page, 2, "Home phone", "home", Gtk.Entry(), mark)
    row(page, 3, "Work phone", "work", Gtk.Entry(), mark)
    row(page, 4, "Note", "note", Gtk.Entry(), mark)
    page.attach(mark("star", Gtk.CheckButton(label="Favourite")), 1, 5, 1, 1)
    end = Gtk.Box(spacing=8)
    for name, text in [("merge", "Find duplicates"), ("remove", "Delete"), ("save", "Save changes")]:
        end.pack_start(mark(name, Gtk.Button(label=text)), False, False, 0)
    page.attach(end, 0, 6, 2, 1)
    both.pack_start(page, True, True, 0)
    window.add(both)


def installer(window, mark, cells):
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=20)
    outer.pack_start(Gtk.Label(label="Where should the system be installed?", xalign=0), False, False, 0)
    first = None
    for name, text in [
        ("erase", "Erase disk and install"),
        ("beside", "Install beside the other system"),
        ("manual", "Manual partitioning"),
    ]:
        radio = mark(name, Gtk.RadioButton(group=first, label=text))
        first = first or radio
        outer.pack_start(radio, False, False, 0)
    outer.pack_start(mark("encrypt", Gtk.CheckButton(label="Encrypt the disk")), False, False, 0)
    grid = Gtk.Grid(row_spacing=10, column_spacing=14)
    row(grid, 0, "Disk", "disk", choices(["SSD 512 GB", "USB stick 64 GB"]), mark)
    row(grid, 1, "Passphrase", "phrase", Gtk.Entry(visibility=False), mark)
    row(grid, 2, "Repeat passphrase", "again", Gtk.Entry(visibility=False), mark)
    row(grid, 3, "Swap (GB)", "swap", Gtk.SpinButton.new_with_range(0, 64, 1), mark)
    outer.pack_start(grid, False, False, 0)
    end = Gtk.ButtonBox(layout_style=Gtk.ButtonBoxStyle.END, spacing=8)
    for name, text in [("quit", "Quit"), ("back", "Back"), ("next", "Install now")]:
        end.add(mark(name, Gtk.Button(label=text)))
    outer.pack_end(end, False, False, 0)
    window.add(outer)


def scanner(window, mark, cells):
    page = Gtk.Grid(row_spacing=10, column_spacing=18, margin=16)
    row(page, 0, "Scanner", "device", choices(["Flatbed 310", "Sheet feeder"]), mark)
    row(page, 1, "Paper size", "paper", choices(["A4", "A5", "Letter"]), mark)
    row(page, 2, "Resolution (dpi)", "dpi", Gtk.SpinButton.new_with_range(75, 600, 25), mark)
    row(page, 3, "File name", "file", Gtk.Entry(text="scan-0012"), mark)
    row(page, 4, "Contrast", "contrast", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), mark)
    row(page, 5, "Both sides", "duplex", Gtk.Switch(halign=Gtk.Align.START), mark)
    colours = Gtk.Box(spacing=12)
    first = None
    for name, text in [("colour", "Colour"), ("grey", "Greyscale"), ("black", "Black and white")]:
        radio = mark(name, Gtk.RadioButton(group=first, label=text))
        first = first or radio
        colours.pack_start(radio, False, False, 0)
    page.attach(colours, 0, 6, 2, 1)
    page.attach(mark("straight", Gtk.CheckButton(label="Straighten pages", active=True)), 0, 7, 2, 1)
    page.attach(mark("blank", Gtk.CheckButton(label="Leave out empty pages")), 0, 8, 2, 1)
    view = table([("1", "A4", "1.2 MB"), ("2", "A4", "0.9 MB"), ("3", "A5", "0.4 MB")], ["Page", "Paper", "Size"], mark, cells, ["page1", "page2", "page3"])
    end = Gtk.ButtonBox(layout_style=Gtk.ButtonBoxStyle.END, spacing=8, margin=10)
    for name, text in [("preview", "Preview"), ("turn", "Rotate"), ("drop", "Discard page"), ("save", "Save all"), ("scan", "Scan")]:
        end.add(mark(name, Gtk.Button(label=text)))
    outer = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for child, grows in [(page, False), (view, True), (end, False)]:
        outer.pack_start(child, grows, grows, 0)
    window.add(outer)


LATER = {
    "scanner": (scanner, (560, 720)),
    "archive": (archive, (640, 420)),
    "printing": (printing, (500, 480)),
    "people": (people, (680, 400)),
    "installer": (installer, (560, 440)),
}
