/** Light and minimal stemmers of Norwegian, which knows two written languages. */
import type { TermFunction } from '../term-filter.ts'
import { EndingRules } from './word.ts'

const GENITIVE = new EndingRules('4 s')

const BOKMAL = new EndingRules(
  '7 heter heten;5 dom het;7 elser elsen;6 ende else este eren;5 ere est ene;4 er en et st te;3 a e n',
)
const NYNORSK = new EndingRules(
  '7 heita;8 heiter leiken leikar;5 dom;6 heit semd leik;7 elser elsen;6 ande else aste aren;' +
    '5 are ast ene ane;4 er en et ar te;3 a e n',
)
const MINIMAL_BOKMAL = new EndingRules('5 ene;4 er en et;3 a e')
const MINIMAL_NYNORSK = new EndingRules('5 ene ane;4 er en et ar;3 a e')

const behindGenitive =
  (endings: EndingRules): TermFunction =>
  word =>
    endings.apply(GENITIVE.apply(word))

/** Stems Norwegian (Bokmål) lightly. */
export const stemLightNorwegian: TermFunction = behindGenitive(BOKMAL)
/** Stems Norwegian (Nynorsk) lightly. */
export const stemLightNynorsk: TermFunction = behindGenitive(NYNORSK)
/** Stems Norwegian (Bokmål) minimally. */
export const stemMinimalNorwegian: TermFunction = behindGenitive(MINIMAL_BOKMAL)
/** Stems Norwegian (Nynorsk) minimally. */
export const stemMinimalNynorsk: TermFunction = behindGenitive(MINIMAL_NYNORSK)
