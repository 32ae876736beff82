/** Strings of one UTF-16 unit. */

let singles: string[] | null = null

/**
 * The string of a unit. Ideographs are tokens by themselves, and few thousand make up most texts: each
 * has one string a thread, whose hash is made once.
 */
export function singleUnit(unit: number): string {
  singles ??= new Array<string>(0x10000).fill('')
  const known = singles[unit]!
  if (known !== '') return known
  const made = String.fromCharCode(unit)
  singles[unit] = made
  return made
}
