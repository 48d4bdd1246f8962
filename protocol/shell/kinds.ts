/** The shells a session may be of. */
export const SESSION_KINDS = ['bash', 'sh', 'zsh', 'powershell', 'cmd'] as const
