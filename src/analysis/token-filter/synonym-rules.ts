/**
 * Reads synonym rules, in Solr's form
 *
 *   # a remark
 *   i-pod, i pod => ipod          the left sides are replaced by all right sides
 *   ipod, i-pod, i pod            equal words: each gets the others, or all become the first
 *
 * with `\` before a character that stands for itself, and in WordNet's, facts of Prolog whose second
 * column is the number of the set of synonyms that the word of the third belongs to:
 *
 *   s(100000001,1,'woods',n,1,0).
 *
 * Words pass through the stages before the filter.
 */
import { IllegalArgumentError } from '../../util/errors.ts'
import { SynonymMap } from './synonym-map.ts'

/** Pairs of words that the rules of one filter may make; a line of n equal words makes n². */
const MAX_PAIRS = 2_000_000

/** How rules are read. */
export interface SynonymRules {
  readonly lines: readonly string[]
  readonly isWordnet: boolean
  /** Whether equal words get all the others, rather than become the first. */
  readonly expand: boolean
  /** Whether a word that the stages before do not take is passed over, not an error. */
  readonly lenient: boolean
  /**
   * The words of one side of a rule after the stages before.
   * @throws {IllegalArgumentError} none, or several at a position
   */
  analyze(text: string): readonly string[]
}

/** @throws {IllegalArgumentError} a rule that cannot be read; the cause says which and why */
export function readSynonyms(rules: SynonymRules): SynonymMap {
  const map = new SynonymMap()
  const reader = new RuleReader(rules, map)
  for (const [i, line] of rules.lines.entries())
    try {
      if (rules.isWordnet) reader.readFact(line)
      else reader.readRule(line)
    } catch (error) {
      throw failed(error, i + 1)
    }
  try {
    reader.endSet()
  } catch (error) {
    throw failed(error, rules.lines.length)
  }
  return map
}

function failed(error: unknown, line: number): unknown {
  if (!(error instanceof IllegalArgumentError)) return error
  return new IllegalArgumentError('Failed to build synonyms', {
    causedBy: {
      type: 'parse_exception',
      reason: `Invalid synonym rule at line ${line}`,
      causedBy: { type: error.record.type, reason: error.record.reason },
    },
  })
}

class RuleReader {
  readonly #rules: SynonymRules
  readonly #map: SynonymMap
  /** The set of synonyms at hand, of WordNet. */
  #set: (readonly string[])[] = []
  #setNumber = ''
  #pairs = 0

  constructor(rules: SynonymRules, map: SynonymMap) {
    this.#rules = rules
    this.#map = map
  }

  readRule(line: string): void {
    if (line === '' || line.startsWith('#')) return
    const sides = split(line, '=>')
    if (sides.length > 2)
      throw new IllegalArgumentError('more than one explicit mapping specified on the same line')
    const inputs = this.#words(sides.length > 1 ? sides[0]! : line)
    if (sides.length < 2) {
      this.#addEqual(inputs)
      return
    }
    const outputs = this.#words(sides[1]!)
    for (const input of inputs) for (const output of outputs) this.#add(input, output, false)
  }

  readFact(line: string): void {
    const number = line.slice(2, 11)
    const start = line.indexOf("'") + 1
    const end = line.lastIndexOf("'")
    if (number.length < 9 || end < start)
      throw new IllegalArgumentError(`[${line}] is no fact of WordNet's`)
    if (number !== this.#setNumber) this.endSet()
    this.#setNumber = number
    this.#set.push(this.#analyze(line.slice(start, end).replaceAll("''", "'")))
  }

  /** Takes the set at hand over into the map. */
  endSet(): void {
    if (this.#set.length > 1) this.#addEqual(this.#set)
    this.#set = []
  }

  #addEqual(words: readonly (readonly string[])[]): void {
    const first = words[0]
    if (first === undefined) return
    // Where all become the first, so does the first: it is then a synonym by its type.
    if (!this.#rules.expand) for (const word of words) this.#add(word, first, false)
    else
      for (const [i, input] of words.entries())
        for (const [j, output] of words.entries()) if (i !== j) this.#add(input, output, true)
  }

  #add(input: readonly string[], output: readonly string[], keepsOriginal: boolean): void {
    if (++this.#pairs > MAX_PAIRS)
      throw new IllegalArgumentError(`the rules make more than ${MAX_PAIRS} pairs of synonyms`)
    // A side that was passed over leaves no rule.
    if (input.length > 0 && output.length > 0) this.#map.add(input, output, keepsOriginal)
  }

  #words(side: string): (readonly string[])[] {
    return split(side, ',').map(word => this.#analyze(unescaped(word).trim()))
  }

  #analyze(text: string): readonly string[] {
    try {
      return this.#rules.analyze(text)
    } catch (error) {
      if (this.#rules.lenient && error instanceof IllegalArgumentError) return []
      throw error
    }
  }
}

/** The parts between separators that are not escaped, without empty ones; escapes stay. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < text.length; ) {
    if (text.startsWith(separator, at)) {
      if (part !== '') parts.push(part)
      part = ''
      at += separator.length
      continue
    }
    const size = text.charAt(at) === '\\' ? 2 : 1
    part += text.slice(at, at + size)
    at += size
  }
  if (part !== '') parts.push(part)
  return parts
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}
