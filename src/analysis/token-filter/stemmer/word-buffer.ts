/**
 * The word that a stemmer works on, as UTF-16 units that it shortens and overwrites in place. One
 * for all stemmers of a thread: a stemmer loads a word, changes it and reads it out, and nothing
 * stays between two words.
 */

const CHUNK = 4096

/** A word in place. */
export class WordBuffer {
  /** Valid in `[0, length)`; has room for sixteen units more. */
  units: Uint16Array = new Uint16Array(256)
  length = 0

  load(term: string): void {
    const { length } = term
    if (length + 16 > this.units.length) this.units = new Uint16Array(length * 2 + 16)
    const { units } = this
    for (let i = 0; i < length; i++) units[i] = term.charCodeAt(i)
    this.length = length
  }

  /** The word as it is now; `term` itself where it is still that. */
  read(term: string): string {
    const { units, length } = this
    let same = 0
    const most = Math.min(length, term.length)
    while (same < most && units[same] === term.charCodeAt(same)) same++
    if (same === length) return length === term.length ? term : term.slice(0, length)
    // Nearly all of a stem is the beginning of its word, which a slice shares.
    let made = term.slice(0, same)
    for (let at = same; at < length; at += CHUNK)
      made += String.fromCharCode(...units.subarray(at, Math.min(length, at + CHUNK)))
    return made
  }

  endsWith(suffix: string): boolean {
    const { units } = this
    const start = this.length - suffix.length
    if (start < 0) return false
    for (let i = suffix.length - 1; i >= 0; i--)
      if (units[start + i] !== suffix.charCodeAt(i)) return false
    return true
  }

  /** Writes a text at a place, which becomes the end. */
  write(at: number, text: string): void {
    const { units } = this
    for (let i = 0; i < text.length; i++) units[at + i] = text.charCodeAt(i)
    this.length = at + text.length
  }
}
