import { EndingRules } from './word.ts'

const CASES = new EndingRules(
  '7 atech;6 ětem etem atům;5 ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata ' +
    'aty ých ama ami ové ovi ými;4 em es ém ím ům at ám os us ým mi ou;3 a e i o u ů y á é í ý ě',
)
const POSSESSIVES = new EndingRules('5 ov in ův')
const SOFTENED = new EndingRules('0 čt>ck št>sk c>k č>k z>h ž>h')

/** Light stemmer of Czech (L. Dolamic and J. Savoy): case, possessive, then softened consonants. */
export function stemCzech(term: string): string {
  const word = POSSESSIVES.apply(CASES.apply(term))
  if (word.length === 0) return word
  const hard = SOFTENED.apply(word)
  if (hard !== word) return hard
  const { length } = word
  if (length > 1 && word[length - 2] === 'e') return word.slice(0, -2) + word[length - 1]
  if (length > 2 && word[length - 2] === 'ů') return `${word.slice(0, -2)}o${word[length - 1]}`
  return word
}
