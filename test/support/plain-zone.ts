/**
 * Rounding in time zones from first principles: the runtime tells local times, from which changes of
 * the offset are searched for, and the rules for gaps and overlaps are written down one by one.
 */

const MINUTE = 60_000
const DAY = 86_400_000
/** Milliseconds between looks for a change; two changes within them would go unseen. */
const STEP = 2 * DAY

/** A change of a zone's offset. */
interface Change {
  /** The first instant with the new offset. */
  readonly at: number
  readonly before: number
  readonly after: number
}

/** What a bucket holds: a calendar unit, or so many milliseconds of local time. */
export type PlainInterval = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | number

/** A zone between two instants. */
export class PlainZone {
  readonly changes: readonly Change[]
  readonly #first: number

  constructor(id: string, from: number, to: number) {
    const offsetOf = offsets(id)
    const changes: Change[] = []
    let before = offsetOf(from)
    this.#first = before
    for (let at = Math.floor(from / 1000) * 1000; at < to; at += STEP) {
      const after = offsetOf(at + STEP)
      if (after === before) continue
      let low = at
      let high = at + STEP
      while (high - low > 1000) {
        const middle = Math.floor((low + high) / 2000) * 1000
        if (offsetOf(middle) === before) low = middle
        else high = middle
      }
      changes.push({ at: high, before, after })
      before = after
    }
    this.changes = changes
  }

  /** The start of the bucket of an instant. */
  round(instant: number, interval: PlainInterval): number {
    if (typeof interval === 'number') return this.#roundFixed(instant, interval)
    if (interval === 'hour') return this.#roundHour(instant)
    // The first instant of the unit: the earlier of two, or the end of a gap.
    const local = unitStart(interval, instant + this.#offsetAt(instant))
    const [first] = this.#instantsOf(local)
    return first ?? this.#gapAt(local)!.at
  }

  /** The last start of an hour on this side of the last change; none: that of before the change. */
  #roundHour(instant: number): number {
    const local = instant + this.#offsetAt(instant)
    const start = Math.floor(local / (60 * MINUTE)) * 60 * MINUTE
    const truncated = this.#instantsOf(start).findLast(each => each <= instant)
    const change = this.#changeBefore(instant + 1)
    if (change === undefined) return truncated!
    if (truncated !== undefined && change.at <= truncated) return truncated
    return this.#roundHour(change.at - 1)
  }

  #roundFixed(instant: number, length: number): number {
    const local = instant + this.#offsetAt(instant)
    const start = Math.floor(local / length) * length
    const instants = this.#instantsOf(start)
    if (instants.length === 0) return this.#gapAt(start)!.at
    const change = this.#changeBefore(instant + 1)
    for (const each of [...instants].reverse()) {
      if (change !== undefined && each < change.at) return this.#roundFixed(change.at - 1, length)
      if (each <= instant) return each
    }
    throw new Error(`no start of ${instant}`)
  }

  #offsetAt(instant: number): number {
    const change = this.#changeBefore(instant + 1)
    return change?.after ?? this.#first
  }

  /** The last change before an instant. */
  #changeBefore(instant: number): Change | undefined {
    return this.changes.findLast(({ at }) => at < instant)
  }

  /** The instants of a local time, ascending. */
  #instantsOf(local: number): readonly number[] {
    const offsets = new Set([
      this.#first,
      ...this.changes.flatMap(({ before, after }) => [before, after]),
    ])
    return [...offsets]
      .filter(offset => this.#offsetAt(local - offset) === offset)
      .map(offset => local - offset)
      .sort((a, b) => a - b)
  }

  /** The change that leaves out a local time. */
  #gapAt(local: number): Change | undefined {
    return this.changes.find(({ at, before, after }) => local >= at + before && local < at + after)
  }
}

/** The offset of a zone in milliseconds, by the runtime's local times. */
function offsets(id: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: id,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return at => {
    const instant = Math.floor(at / 1000) * 1000
    const [month, day, year, hour, minute, second] = format
      .formatToParts(instant)
      .filter(({ type }) => type !== 'literal')
      .map(({ value }) => Number(value))
    return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - instant
  }
}

function unitStart(unit: 'day' | 'week' | 'month' | 'quarter' | 'year', local: number): number {
  const date = new Date(local)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (unit) {
    case 'day':
      return Date.UTC(year, month, date.getUTCDate())
    case 'week':
      // Days since Monday.
      return Date.UTC(year, month, date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
    case 'month':
      return Date.UTC(year, month)
    case 'quarter':
      return Date.UTC(year, month - (month % 3))
    case 'year':
      return Date.UTC(year, 0)
  }
}
