"""The same as list3.py in GTK 4, with a header bar that it draws itself."""
import sys

import gi

gi.require_version('Gtk', '4.0')
from gi.repository import GLib, Gtk


def clicked(_button, name):
    print('clicked ' + name, flush=True)


def button(name):
    made = Gtk.Button(label=name)
    made.connect('clicked', clicked, name)
    return made


def start(app):
    window = Gtk.ApplicationWindow(application=app, title='List 4')
    window.set_default_size(420, 420)
    bar = Gtk.HeaderBar()
    bar.pack_start(button('Share'))
    window.set_titlebar(bar)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    window.set_child(box)
    row = Gtk.Box(spacing=6)
    for name in ['Print', 'Print all', 'Quit']:
        row.append(button(name))
    box.append(row)
    entry = Gtk.Entry()
    entry.connect('changed', lambda field: print('typed ' + field.get_text(), flush=True))
    label = Gtk.Label(label='_Street', use_underline=True)
    label.set_mnemonic_widget(entry)
    form = Gtk.Box(spacing=6)
    form.append(label)
    form.append(entry)
    box.append(form)
    rows = Gtk.ListBox()
    scroller = Gtk.ScrolledWindow(vexpand=True)
    scroller.set_child(rows)
    box.append(scroller)

    def add(name, index):
        inner = Gtk.Box(spacing=6)
        text = Gtk.Label(label=name, hexpand=True)
        inner.append(text)
        inner.append(button('Show ' + name))
        rows.insert(inner, index)

    for name in ['Delta', 'Epsilon', 'Zeta']:
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
    window.present()


app = Gtk.Application(application_id='org.lets.list4')
app.connect('activate', start)
app.run()
