import { EndingRules } from './word.ts'

const POSTPOSITIONS = new EndingRules('5 دا;4 نا>ن;6 ەوە')
const POSSESSIVES = new EndingRules('6 مان یان تان')
/** Indefinite, definite and demonstrative, one and many, then the ezafe. */
const FORMS = new EndingRules(
  '6 ێکی;7 یەکی;5 ێک;6 یەک ەکە;5 کە;7 ەکان;6 کان;7 یانی;6 انی یان;5 ان;7 یانە;6 انە;5 ایە>ا ەیە>ە;4 ە ی',
)

/** Light stemmer of Sorani Kurdish. */
export function stemSorani(term: string): string {
  return FORMS.apply(POSSESSIVES.apply(POSTPOSITIONS.apply(term)))
}
