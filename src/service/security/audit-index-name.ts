/** A run of one letter that stands for a part of a date, or a text between quotes. */
const PARTS = /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+/g

/** Digits of a part of a date, by its letter, in UTC. */
const LETTERS: Readonly<Record<string, (date: Date) => number>> = {
  Y: date => date.getUTCFullYear(),
  y: date => date.getUTCFullYear(),
  M: date => date.getUTCMonth() + 1,
  d: date => date.getUTCDate(),
  H: date => date.getUTCHours(),
}

/** Makes the name of an index of the time of an event. */
export type IndexNaming = (millis: number) => string

/**
 * Reads the setting `plugins.security.audit.config.index`: a pattern of a date whose other text stands between
 * quotes, or else one name. As on the real server, what is no such pattern is a name as it stands.
 */
export function auditIndexNaming(pattern: string): IndexNaming {
  const parts = [...pattern.matchAll(PARTS)]
  const isWhole = parts.map(([text]) => text).join('') === pattern
  const hasDate = parts.some(([, , letter]) => letter !== undefined)
  const isDate = parts.every(([, , letter]) => letter === undefined || letter in LETTERS)
  if (!isWhole || !hasDate || !isDate) return () => pattern
  return millis => {
    const date = new Date(millis)
    return parts.map(part => textOf(part, date)).join('')
  }
}

function textOf([text, quoted, letter]: RegExpMatchArray, date: Date): string {
  if (letter === undefined) return quoted ?? text
  return String(LETTERS[letter]!(date)).padStart(text.length, '0')
}
