/** Whole screens are in one of these, so that nothing of a held-out one was seen in tuning. */
export const HALVES = ['tune', 'held', 'fresh', 'judged', 'blind'] as const
export type Half = (typeof HALVES)[number]

/** A screen of the evaluation. */
export interface ScreenSpec {
  readonly name: string
  /**
   * `tune`: looked at while resolvers are made better; `held`: to judge them, though a look at their kinds of faults has led to changes;
   * `fresh`: made after all that, and first asked then; `judged`: made later by one who had not read the resolvers, and looked at since;
   * `blind`: made in the same way after that, and asked once: nothing was changed for them.
   */
  readonly half: Half
  readonly kind: 'page' | 'gtk3' | 'gtk4' | 'terminal'
  readonly scale: 1 | 2
  readonly dark?: boolean
  /** Of a terminal: which text each id is; a second number chooses a later place of the same text. */
  readonly texts?: Readonly<Record<string, string>>
}

export const SCREENS: readonly ScreenSpec[] = [
  { name: 'signup', half: 'tune', kind: 'page', scale: 1 },
  { name: 'users', half: 'tune', kind: 'page', scale: 2, dark: true },
  { name: 'mail', half: 'tune', kind: 'page', scale: 1 },
  { name: 'editor', half: 'tune', kind: 'page', scale: 1, dark: true },
  { name: 'confirm', half: 'tune', kind: 'page', scale: 2 },
  { name: 'board', half: 'tune', kind: 'page', scale: 1 },
  { name: 'preferences', half: 'tune', kind: 'gtk3', scale: 1 },
  { name: 'music', half: 'tune', kind: 'gtk4', scale: 2, dark: true },
  {
    name: 'git',
    half: 'tune',
    kind: 'terminal',
    scale: 1,
    texts: {
      fail: 'FAIL tests/search.test.js',
      notes: 'notes.txt',
      contact: 'new file:   pages/contact.html',
      banner: 'deleted:    images/banner.png',
      menujs: 'modified:   scripts/menu.js',
      failed: 'Tests:  1 failed, 14 passed, 15 total',
      untracked: 'Untracked files:',
      branch: 'On branch redesign',
      baskettest: 'PASS tests/basket.test.js',
    },
  },
  { name: 'checkout', half: 'tune', kind: 'page', scale: 1, dark: true },
  { name: 'orders', half: 'tune', kind: 'page', scale: 1 },
  { name: 'settings', half: 'tune', kind: 'page', scale: 2 },
  { name: 'chat', half: 'tune', kind: 'page', scale: 1, dark: true },
  { name: 'shop', half: 'tune', kind: 'page', scale: 1 },
  { name: 'dashboard', half: 'tune', kind: 'page', scale: 2, dark: true },
  { name: 'files', half: 'tune', kind: 'gtk3', scale: 2, dark: true },
  { name: 'contact', half: 'tune', kind: 'gtk4', scale: 1 },
  {
    name: 'menu',
    half: 'tune',
    kind: 'terminal',
    scale: 1,
    dark: true,
    texts: {
      quit: 'F10  Quit',
      kill: 'F9  Kill',
      sort: 'F6  Sort by',
      firefox: '1377  kim       310 MB  firefox',
      player: '2051  kim        48 MB  music-player',
      backup: '3312  kim         9 MB  backup.sh',
      warning: 'Warning: disk /home is 91% full',
      error: 'Error: backup of photos did not finish',
      network: 'Network connected',
      memory: 'Memory used: 5.1 GB of 16 GB',
    },
  },
  { name: 'booking', half: 'held', kind: 'page', scale: 1 },
  { name: 'bank', half: 'held', kind: 'page', scale: 1, dark: true },
  { name: 'library', half: 'held', kind: 'page', scale: 2 },
  { name: 'video', half: 'held', kind: 'page', scale: 2, dark: true },
  { name: 'survey', half: 'held', kind: 'page', scale: 1 },
  { name: 'wiki', half: 'held', kind: 'page', scale: 1 },
  { name: 'account', half: 'held', kind: 'gtk3', scale: 1 },
  { name: 'tasks', half: 'held', kind: 'gtk4', scale: 2 },
  {
    name: 'listing',
    half: 'held',
    kind: 'terminal',
    scale: 1,
    dark: true,
    texts: {
      total: 'total 2208',
      backup: '-rwxr-xr-x 1 kim kim    812 Mar  4 09:12 backup.sh',
      photos: 'drwxr-xr-x 4 kim kim   4096 Feb 11 17:40 holiday-photos',
      invoices: '-rw-r--r-- 1 kim kim  23117 Jan 30 08:02 invoices-2025.ods',
      readme: '-rw-r--r-- 1 kim kim   1954 Mar  2 21:15 README.md',
      report: '-rw-r--r-- 1 kim kim 814022 Mar  1 10:30 report.pdf',
      todo: '-rw-r--r-- 1 kim kim    377 Mar  4 07:55 todo.txt',
      denied: 'cat: /etc/shadow: Permission denied',
    },
  },
  { name: 'recipes', half: 'fresh', kind: 'page', scale: 1 },
  { name: 'servers', half: 'fresh', kind: 'page', scale: 2, dark: true },
  { name: 'export', half: 'fresh', kind: 'gtk3', scale: 2 },
  { name: 'network', half: 'fresh', kind: 'gtk4', scale: 1, dark: true },
  {
    name: 'log',
    half: 'fresh',
    kind: 'terminal',
    scale: 1,
    texts: {
      started: '09:14:02 info   server started, version 4.2',
      listening: '09:14:02 info   listening on port 8080',
      login: '09:14:07 info   login of anna from 10.0.0.7',
      warning: '09:15:30 warn   disk is almost full',
      dberror: '09:16:11 error  database: connection refused',
      refused: 'connection refused',
      retry: '09:16:12 info   retrying in 5 seconds',
    },
  },
  { name: 'calendar', half: 'judged', kind: 'page', scale: 1 },
  { name: 'review', half: 'judged', kind: 'page', scale: 2, dark: true },
  { name: 'payment', half: 'judged', kind: 'page', scale: 1 },
  { name: 'thread', half: 'judged', kind: 'page', scale: 1, dark: true },
  { name: 'backups', half: 'judged', kind: 'gtk3', scale: 2 },
  { name: 'privacy', half: 'judged', kind: 'gtk4', scale: 1, dark: true },
  {
    name: 'compile',
    half: 'judged',
    kind: 'terminal',
    scale: 1,
    dark: true,
    texts: {
      warning: 'warning: unused variable: `width`',
      layoutrs: 'src/layout.rs:88:9',
      mismatch: 'error[E0308]: mismatched types',
      notfound: 'error[E0425]: cannot find value `cfg` in this scope',
      main14: 'src/main.rs:14:22',
      main31: 'src/main.rs:31:5',
      total: 'error: could not compile `engine` due to 2 previous errors',
      empty: 'test parse::empty ... FAILED',
      result: 'test result: FAILED. 2 passed; 1 failed',
      fits: 'test layout::fits ... ok',
      nested: 'test parse::nested ... ok',
    },
  },
  { name: 'folder', half: 'blind', kind: 'page', scale: 1 },
  { name: 'timer', half: 'blind', kind: 'gtk4', scale: 2, dark: true },
  {
    name: 'services',
    half: 'blind',
    kind: 'terminal',
    scale: 1,
    dark: true,
    texts: {
      nginx: 'active   nginx        4 days ago   Web server',
      postgres: 'active   postgresql   4 days ago   Database',
      mailer: 'failed   mailer       2 min ago    Sends the mails',
      sshd: 'active   sshd         12 days ago  Remote logins',
      cron: 'reloading cron        just now     Timed jobs',
      smtp: 'mailer: could not reach smtp.example.org',
      total: '3 active, 1 failed, 1 reloading',
      restart: 'R  Restart',
      stop: 'S  Stop',
      quit: 'Q  Quit',
    },
  },
]
