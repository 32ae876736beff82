/**
 * Stemmers of Portuguese and Galician by rules in steps (V. M. Orengo and C. Huyck's RSLP). The
 * rules are a table; generated/rslp-rules.ts holds it.
 */
import { letterMap } from '../normalization/letter-map.ts'
import type { TermFunction } from '../term-filter.ts'
import { GALICIAN_RULES, PORTUGUESE_RULES } from './generated/rslp-rules.ts'
import { endsWithAny } from './word.ts'

interface Rule {
  readonly suffix: string
  /** The minimum that must be left of the word. */
  readonly least: number
  readonly replacement: string
  readonly exceptions: readonly string[]
}

/** An ordered list of rules, of which the first that fits is applied. */
interface Step {
  readonly least: number
  /** Exceptions are words, not endings. */
  readonly isWhole: boolean
  /** The word must end with one of these; none, no matter. */
  readonly endings: readonly string[]
  readonly byLast: ReadonlyMap<number, readonly Rule[]>
}

const portuguese = readSteps(PORTUGUESE_RULES)
const galician = readSteps(GALICIAN_RULES)

const plainPortuguese: TermFunction = letterMap([
  ['àáâãäå', 'a'],
  ['ç', 'c'],
  ['èéêë', 'e'],
  ['ìíîï', 'i'],
  ['ñ', 'n'],
  ['òóôõö', 'o'],
  ['ùúûü', 'u'],
  ['ýÿ', 'y'],
])
const plainGalician: TermFunction = letterMap([
  ['á', 'a'],
  ['éê', 'e'],
  ['í', 'i'],
  ['ó', 'o'],
  ['ú', 'u'],
])

/** `portuguese_rslp` */
export function stemPortuguese(term: string): string {
  let word = term
  for (const name of ['Plural', 'Adverb', 'Feminine', 'Augmentative'])
    word = apply(portuguese, name, word)
  const { length } = word
  word = apply(portuguese, 'Noun', word)
  if (word.length === length) {
    word = apply(portuguese, 'Verb', word)
    if (word.length === length) word = apply(portuguese, 'Vowel', word)
  }
  return plainPortuguese(word)
}

/** Plurals only. */
export function stemMinimalPortuguese(term: string): string {
  return apply(portuguese, 'Plural', term)
}

/** Stems Galician. */
export function stemGalician(term: string): string {
  let word = term
  for (const name of ['Plural', 'Unification', 'Adverb']) word = apply(galician, name, word)
  for (let before = -1; before !== word.length; ) {
    before = word.length
    word = apply(galician, 'Augmentative', word)
  }
  const { length } = word
  word = apply(galician, 'Noun', word)
  if (word.length === length) word = apply(galician, 'Verb', word)
  return plainGalician(apply(galician, 'Vowel', word))
}

/** Plurals only. */
export function stemMinimalGalician(term: string): string {
  return apply(galician, 'Plural', term)
}

function apply(steps: ReadonlyMap<string, Step>, name: string, word: string): string {
  const step = steps.get(name)
  if (step === undefined || word.length < step.least) return word
  if (step.endings.length > 0 && !endsWithAny(word, step.endings)) return word
  for (const rule of step.byLast.get(word.charCodeAt(word.length - 1)) ?? []) {
    if (word.length - rule.suffix.length < rule.least || !word.endsWith(rule.suffix)) continue
    const isException = step.isWhole
      ? rule.exceptions.includes(word)
      : endsWithAny(word, rule.exceptions)
    if (!isException) return word.slice(0, word.length - rule.suffix.length) + rule.replacement
  }
  return word
}

function readSteps(table: string): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>()
  let byLast = new Map<number, Rule[]>()
  for (const line of table.split('\n')) {
    if (line === '') continue
    if (line.startsWith(' ')) {
      const [suffix = '', least, replacement = '', ...exceptions] = line.trim().split(' ')
      const last = suffix.charCodeAt(suffix.length - 1)
      const rules = byLast.get(last) ?? []
      byLast.set(last, rules)
      rules.push({
        suffix,
        least: Number(least),
        replacement: replacement === '-' ? '' : replacement,
        exceptions,
      })
      continue
    }
    const [name = '', least, scope, endings = ''] = line.split('|')
    byLast = new Map()
    const isWhole = scope === 'whole'
    const list = endings === '' ? [] : endings.split(' ')
    steps.set(name, { least: Number(least), isWhole, endings: list, byLast })
  }
  return steps
}
