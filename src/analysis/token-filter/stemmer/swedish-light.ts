import { EndingRules } from './word.ts'

const GENITIVE = new EndingRules('4 s')
const ENDINGS = new EndingRules(
  '7 elser heten;6 arne erna ande else aste orna aren;5 are ast het;4 ar er or en at te et;3 t a e n',
)

/** Light stemmer of Swedish (J. Savoy, Report on CLEF-2003 monolingual tracks). */
export function stemLightSwedish(word: string): string {
  return ENDINGS.apply(GENITIVE.apply(word))
}
