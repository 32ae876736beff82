/** What the real API has and this build has not: it is refused by name, never ignored. */
import { IllegalArgumentError } from '../util/errors.ts'

const FILTERS = new Set(
  (
    'arabic_normalization arabic_stem bengali_normalization brazilian_stem czech_stem ' +
    'dictionary_decompounder dutch_stem french_stem german_normalization german_stem ' +
    'hindi_normalization hunspell hyphenation_decompounder indic_normalization keyword_marker ' +
    'kstem persian_normalization porter_stem russian_stem scandinavian_folding ' +
    'scandinavian_normalization serbian_normalization snowball sorani_normalization stemmer ' +
    'stemmer_override'
  ).split(' '),
)
const ANALYZERS = new Set(
  (
    'arabic armenian basque bengali brazilian bulgarian catalan chinese cjk czech danish dutch ' +
    'english estonian fingerprint finnish french galician german greek hindi hungarian indonesian ' +
    'irish italian latvian lithuanian norwegian persian polish portuguese romanian russian ' +
    'snowball sorani spanish swedish thai turkish ukrainian'
  ).split(' '),
)
const BY_KIND = {
  filter: FILTERS,
  analyzer: ANALYZERS,
}

/** The error of something that the real API has. */
export function notSupported(what: string): IllegalArgumentError {
  return new IllegalArgumentError(`[${what}] is not supported yet`)
}

/** @throws {IllegalArgumentError} a type of the real API; call once it is in no table */
export function refuseNotSupported(kind: 'filter' | 'analyzer', type: string): void {
  if (BY_KIND[kind].has(type)) throw notSupported(type)
}
