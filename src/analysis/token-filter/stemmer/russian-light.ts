import { EndingRules } from './word.ts'

const CASES = new EndingRules(
  '6 иями оями;5 иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев;' +
    '4 ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми;' +
    '3 а е и о у й ы я ь',
)
const REST = new EndingRules('3 ь и нн>н')

/** Light stemmer of Russian (L. Dolamic and J. Savoy): endings of cases, then soft sign, i and double n. */
export function stemLightRussian(word: string): string {
  return REST.apply(CASES.apply(word))
}
