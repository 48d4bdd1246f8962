/** Times of the day at which the companion keeps away. */
import { HOURS } from './settings.js'

const DAY = 24 * 60

/** Whether `minute` of the day (0 is midnight, local time) is one of `hours`, which may go past midnight. */
export function isWithin(hours: string, minute: number): boolean {
  const [from, to] = bounds(hours)
  // From a time to the same time is all day: that is what was said.
  if (from === to) return true
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/** Minutes from `minute` until `hours` begin or end. */
export function untilChange(hours: string, minute: number): number {
  const [from, to] = bounds(hours)
  if (from === to) return DAY
  const ahead = (then: number) => (then > minute ? then - minute : then - minute + DAY)
  return Math.min(ahead(from), ahead(to))
}

function bounds(hours: string): [from: number, to: number] {
  const [, from = '', , to = ''] = HOURS.exec(hours) ?? []
  return [minutes(from), minutes(to)]
}

function minutes(time: string): number {
  const [hour, minute] = time.split(':')
  return Number(hour) * 60 + Number(minute)
}
