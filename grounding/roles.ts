/** What things on a screen are called: roles as plain words, and the words people use for them. Pure. */

/** The roles resolvers give; another word is allowed, and fits no role word. */
export type Role =
  | 'button'
  | 'checkbox'
  | 'radio'
  | 'switch'
  | 'link'
  | 'field'
  | 'dropdown'
  | 'slider'
  | 'tab'
  | 'menu'
  | 'menu item'
  | 'list'
  | 'list item'
  | 'table'
  | 'row'
  | 'cell'
  | 'column header'
  | 'heading'
  | 'image'
  | 'icon'
  | 'text'
  | 'dialog'
  | 'window'
  | 'toolbar'
  | 'group'
  | 'progress'
  | 'tree item'
  | 'document'

/** What each word people use may mean, the likeliest first. */
const SAID: Readonly<Record<string, readonly Role[]>> = {
  button: ['button'],
  btn: ['button'],
  checkbox: ['checkbox', 'switch'],
  'check box': ['checkbox', 'switch'],
  tickbox: ['checkbox'],
  toggle: ['switch', 'checkbox', 'button'],
  switch: ['switch', 'checkbox'],
  'radio button': ['radio'],
  radio: ['radio'],
  option: ['radio', 'menu item', 'list item', 'checkbox'],
  link: ['link'],
  hyperlink: ['link'],
  field: ['field', 'dropdown'],
  'text field': ['field'],
  'input field': ['field'],
  input: ['field'],
  'input box': ['field'],
  'text box': ['field'],
  textbox: ['field'],
  box: ['field', 'checkbox'],
  bar: ['field', 'toolbar', 'progress'],
  textarea: ['field'],
  'text area': ['field'],
  entry: ['field', 'list item'],
  dropdown: ['dropdown'],
  'drop-down': ['dropdown'],
  'drop down': ['dropdown'],
  'combo box': ['dropdown'],
  combobox: ['dropdown'],
  select: ['dropdown'],
  picker: ['dropdown', 'field'],
  slider: ['slider'],
  tab: ['tab'],
  menu: ['menu', 'menu item', 'dropdown'],
  'menu item': ['menu item'],
  'menu entry': ['menu item'],
  list: ['list'],
  item: ['list item', 'menu item', 'tree item'],
  'list item': ['list item'],
  table: ['table'],
  row: ['row', 'list item', 'tree item'],
  line: ['row', 'text', 'list item'],
  cell: ['cell'],
  column: ['column header'],
  'column header': ['column header'],
  heading: ['heading'],
  headline: ['heading'],
  title: ['heading', 'text'],
  header: ['heading', 'column header'],
  image: ['image', 'icon'],
  picture: ['image', 'icon'],
  photo: ['image'],
  logo: ['image', 'icon'],
  icon: ['icon', 'image', 'button'],
  text: ['text', 'heading'],
  label: ['text'],
  paragraph: ['text'],
  message: ['text'],
  dialog: ['dialog', 'window'],
  window: ['window', 'dialog'],
  toolbar: ['toolbar'],
  group: ['group'],
  section: ['group', 'heading'],
  panel: ['group'],
  'progress bar': ['progress'],
}

/** Pairs that people do not keep apart. */
const CLOSE: readonly (readonly Role[])[] = [
  ['button', 'link', 'menu item', 'tab', 'icon', 'switch'],
  ['checkbox', 'switch', 'radio'],
  ['field', 'dropdown', 'slider'],
  ['list item', 'row', 'tree item', 'cell', 'menu item'],
  ['text', 'heading', 'cell', 'list item', 'column header'],
  ['image', 'icon'],
  ['menu', 'menu item', 'button', 'dropdown'],
]

/** What can be used: of two things that say the same, this is what is meant. */
const USABLE: ReadonlySet<string> = new Set<Role>([
  'button',
  'checkbox',
  'radio',
  'switch',
  'link',
  'field',
  'dropdown',
  'slider',
  'tab',
  'menu',
  'menu item',
  'tree item',
])

export const isUsable = (role: string) => USABLE.has(role)

/** What holds other things: rarely what is meant, unless it is said. */
const HOLDERS: ReadonlySet<string> = new Set<Role>([
  'window',
  'dialog',
  'group',
  'toolbar',
  'list',
  'table',
  'document',
])

export const isHolder = (role: string) => HOLDERS.has(role)

export const ROLE_WORDS: readonly string[] = Object.keys(SAID).sort((a, b) => b.length - a.length)

/** What a role word, singular or plural, may mean. */
export function rolesOf(word: string): readonly Role[] | undefined {
  return SAID[word] ?? SAID[word.replace(/(?:(?<=x)es|s)$/, '')]
}

/** How well a role fits what was said, 0..1. */
export function roleFit(said: readonly Role[], role: string): number {
  // Pixels do not tell what a text is: it may well be what was said, but not so surely that the pointer goes there.
  // A field is a box that would have been seen.
  if (role === 'unknown') return said[0] === 'field' ? 0.7 : 0.84
  const at = said.indexOf(role as Role)
  if (at >= 0) return 1 - 0.03 * at
  if (CLOSE.some((group) => group.includes(role as Role) && said.some((one) => group.includes(one))))
    return 0.84
  return 0.6
}
