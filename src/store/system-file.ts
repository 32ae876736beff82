import { readFileSync } from 'node:fs'

/** A file in which the system tells something; null where it has no such file, as on another system. */
export function systemFile(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

/** A number in such a file, behind a word at the start of a line: `VmSize: 3760 kB`; null without it. */
export function systemNumber(text: string | null, word: string): number | null {
  const found = new RegExp(`^${word}:?\\s+(\\d+)`, 'm').exec(text ?? '')?.[1]
  return found === undefined ? null : Number(found)
}
