"""A GTK 3 window with a form and a list; tells of each click, and changes its list as it is told on standard input."""
import sys

import gi

gi.require_version('Gtk', '3.0')
from gi.repository import GLib, Gtk

window = Gtk.Window(title='List 3')
window.set_default_size(420, 420)
window.move(40, 40)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
window.add(box)


def clicked(_button, name):
    print('clicked ' + name, flush=True)


def button(name):
    made = Gtk.Button(label=name)
    made.connect('clicked', clicked, name)
    return made


row = Gtk.Box(spacing=6)
for name in ['Save', 'Save as', 'Cancel']:
    row.pack_start(button(name), False, False, 0)
box.pack_start(row, False, False, 0)

entry = Gtk.Entry()
entry.connect('changed', lambda field: print('typed ' + field.get_text(), flush=True))
label = Gtk.Label(label='_Full name', use_underline=True)
label.set_mnemonic_widget(entry)
form = Gtk.Box(spacing=6)
form.pack_start(label, False, False, 0)
form.pack_start(entry, True, True, 0)
box.pack_start(form, False, False, 0)

rows = Gtk.ListBox()
scroller = Gtk.ScrolledWindow()
scroller.add(rows)
box.pack_start(scroller, True, True, 0)


def add(name, index):
    line = Gtk.ListBoxRow()
    inner = Gtk.Box(spacing=6)
    inner.pack_start(Gtk.Label(label=name), True, True, 0)
    inner.pack_start(button('Open ' + name), False, False, 0)
    line.add(inner)
    rows.insert(line, index)
    line.show_all()


for name in ['Alpha', 'Beta', 'Gamma']:
    add(name, -1)


def told(channel, _condition):
    words = channel.readline().split()
    if not words:
        return False
    if words[0] == 'insert':
        add(words[2], int(words[1]))
    elif words[0] == 'remove':
        rows.remove(rows.get_row_at_index(int(words[1])))
    return True


channel = GLib.IOChannel.unix_new(sys.stdin.fileno())
GLib.io_add_watch(channel, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, told)
window.connect('destroy', Gtk.main_quit)
window.show_all()
Gtk.main()
