/**
 * Matches texts against the elements of a date pattern. An optional part is tried once and left out when
 * it does not match, as java.time does, so matching takes linear time.
 */
import { type DateElement, HALF_DAY, NANO, OFFSET } from './date-elements.ts'
import { findTimeZone, type TimeZone } from './time-zone.ts'

/** Longest text that is looked at. */
const MAX_TEXT_LENGTH = 256

/** The region that the text being matched names; null without. */
let regionInText: TimeZone | null = null

/**
 * Matches a whole text.
 * @param zone   of a text that names none
 * @param fields receives the numbers of the date, NaN where the text does not give one
 * @returns the date's zone, which holds where no offset is given; null: the text does not match
 */
export function matchDate(
  elements: readonly DateElement[],
  text: string,
  zone: TimeZone,
  fields: Float64Array,
): TimeZone | null {
  fields.fill(Number.NaN)
  regionInText = null
  if (text.length > MAX_TEXT_LENGTH) return null
  return match(elements, text, 0, fields) === text.length ? (regionInText ?? zone) : null
}

/** Matches elements from `at` on; the place behind them, −1 when they do not match. */
function match(
  elements: readonly DateElement[],
  text: string,
  at: number,
  out: Float64Array,
): number {
  let place = at
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]!
    switch (element.kind) {
      case 'literal':
        if (!text.startsWith(element.text, place)) return -1
        place += element.text.length
        break
      case 'number': {
        place = matchNumber(element, reservedDigits(elements, i), text, place, out)
        if (place < 0) return -1
        break
      }
      case 'fraction': {
        if (element.point) {
          if (text[place] !== '.' && text[place] !== ',') return -1
          place++
        }
        const digits = digitsAt(text, place, element.max)
        if (digits < element.min) return -1
        out[NANO] = Number(text.slice(place, place + digits).padEnd(9, '0'))
        place += digits
        break
      }
      case 'zone': {
        place = matchZone(element.colon, element.z, text, place, out)
        if (place < 0) return -1
        break
      }
      case 'name': {
        const found = element.names.findIndex(name => text.startsWith(name, place))
        if (found < 0) return -1
        out[element.field] = element.field === HALF_DAY ? found : found + 1
        place += element.names[found]!.length
        break
      }
      case 'optional': {
        const saved = out.slice()
        const savedRegion = regionInText
        const behind = match(element.elements, text, place, out)
        if (behind >= 0) place = behind
        else {
          out.set(saved)
          regionInText = savedRegion
        }
      }
    }
  }
  return place
}

/** How many digits the fixed-width numbers take that follow a number without a break. */
function reservedDigits(elements: readonly DateElement[], index: number): number {
  let digits = 0
  for (let i = index + 1; i < elements.length; i++) {
    const element = elements[i]!
    if (element.kind === 'number' && element.min === element.max) digits += element.min
    else if (element.kind === 'fraction' && !element.point) digits += element.min
    else break
  }
  return digits
}

function matchNumber(
  element: Extract<DateElement, { kind: 'number' }>,
  reserved: number,
  text: string,
  start: number,
  out: Float64Array,
): number {
  let at = start
  let sign = 1
  if (element.signed && (text[at] === '-' || text[at] === '+')) {
    sign = text[at] === '-' ? -1 : 1
    at++
  }
  const run = digitsAt(text, at, element.max + reserved)
  const digits = Math.min(element.max, Math.max(element.min, run - reserved))
  if (run < digits || digits < element.min) return -1
  // A year of more digits than its letters must carry its sign, as java.time has it.
  if (element.signed && element.min === 4 && digits > 4 && at === start) return -1
  let value = sign * numberAt(text, at, digits)
  if (element.reduced) value += 2000
  if (!Number.isNaN(out[element.field]!) && out[element.field] !== value) return -1
  out[element.field] = value
  return at + digits
}

function matchZone(
  colon: 'yes' | 'no' | 'either',
  z: boolean,
  text: string,
  at: number,
  out: Float64Array,
): number {
  if (z && text[at] === 'Z') {
    out[OFFSET] = 0
    return at + 1
  }
  let place = at
  if (colon === 'either' && /^(UTC|GMT)/.test(text.slice(at, at + 3))) {
    place += 3
    out[OFFSET] = 0
    if (text[place] !== '+' && text[place] !== '-') return place
  }
  const sign = text[place] === '-' ? -1 : text[place] === '+' ? 1 : 0
  if (sign === 0 && colon === 'either') return matchRegion(text, at)
  if (sign === 0 || digitsAt(text, place + 1, 2) < 2) return -1
  const hours = numberAt(text, place + 1, 2)
  let behind = place + 3
  let minutes = 0
  const hasColon = text[behind] === ':'
  if (hasColon ? colon !== 'no' : colon !== 'yes') {
    const from = hasColon ? behind + 1 : behind
    if (digitsAt(text, from, 2) === 2) {
      minutes = numberAt(text, from, 2)
      behind = from + 2
    }
  } else if (colon === 'yes') return -1
  if (hours > 18 || minutes > 59) return -1
  out[OFFSET] = sign * (hours * 60 + minutes) * 60_000
  return behind
}

/** A region's ID, as far as characters of IDs go. */
function matchRegion(text: string, at: number): number {
  const id = /^[A-Z][\w.~]*(\/[\w.~+-]+)*/.exec(text.slice(at))?.[0] ?? ''
  regionInText = findTimeZone(id)
  return regionInText === null ? -1 : at + id.length
}

/** The number of digits that stand at a place, max nine. */
function numberAt(text: string, at: number, digits: number): number {
  let value = 0
  for (let i = 0; i < digits; i++) value = 10 * value + text.charCodeAt(at + i) - 0x30
  return value
}

function digitsAt(text: string, at: number, max: number): number {
  let count = 0
  while (count < max) {
    const unit = text.charCodeAt(at + count)
    if (!(unit >= 0x30 && unit <= 0x39)) break
    count++
  }
  return count
}
