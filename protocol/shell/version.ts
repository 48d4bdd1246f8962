/** The version of the shell protocol. */
export const SHELL_PROTOCOL_VERSION = '1.0'
