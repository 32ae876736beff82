import type { TextEncoder } from './encoder.ts'

/** Tags around a mark, and the encoding of the text between marks. */
export interface Markup {
  readonly preTag: string
  readonly postTag: string
  readonly encode: TextEncoder
}

/**
 * A part of a text with tags around its marks; marks that overlap are one.
 * @param marks by start; those beyond the part's end are cut off there
 */
export function markedText(
  text: string,
  start: number,
  end: number,
  marks: readonly { readonly start: number; readonly end: number }[],
  { preTag, postTag, encode }: Markup,
): string {
  let written = ''
  let at = start
  for (let i = 0; i < marks.length; i++) {
    const mark = marks[i]!
    const from = Math.max(at, mark.start)
    let to = mark.end
    while (i + 1 < marks.length && marks[i + 1]!.start < to) to = Math.max(to, marks[++i]!.end)
    to = Math.min(to, end)
    if (to <= from) continue
    if (from > at) written += encode(text.slice(at, from))
    written += preTag + encode(text.slice(from, to)) + postTag
    at = to
  }
  return at < end ? written + encode(text.slice(at, end)) : written
}

/** The text without blanks and control characters at its ends. */
export function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}
