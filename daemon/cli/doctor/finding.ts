/** One thing the doctor looked at. */
export interface Finding {
  readonly name: string
  /** `problem`: it keeps Lets from its job. `warning`: something is less than it could be. `unknown`: it cannot be told from here. */
  readonly state: 'ok' | 'warning' | 'problem' | 'unknown'
  readonly found: string
  /** What to do: a command where there is one. */
  readonly fix?: string
}
