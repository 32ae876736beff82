/**
 * Dissection of texts: the parts between fixed delimiters, as a pattern names them.
 *
 *   %{a}      a field             %{}  %{?a}   a part that nobody keeps
 *   %{+a}     appended to a       %{+a/2}      appended in that order
 *   %{*a}     the name of a field whose value is at %{&a}
 *   %{a->}    any number of the delimiters behind it
 */

import { IllegalArgumentError } from '../util/errors.ts'

/** The role of a key. */
type KeyKind = 'plain' | 'skip' | 'append' | 'name' | 'value'

interface Key {
  readonly kind: KeyKind
  readonly name: string
  /** Among those that are appended; null: as they stand. */
  readonly order: number | null
  readonly isPadded: boolean
}

interface Pair {
  readonly key: Key
  /** The text behind the key; empty: the end. */
  readonly delimiter: string
}

const PAIR = /%\{([^}]*)\}([^%]*)/gs
const KEY = /^([+*&?]?)(.*?)(?:\/(\d{1,9}))?(->)?$/s
const KINDS: Readonly<Record<string, KeyKind>> = {
  '': 'plain',
  '?': 'skip',
  '+': 'append',
  '*': 'name',
  '&': 'value',
}

/** A pattern that is ready to dissect texts. */
export class Dissection {
  readonly #pattern: string
  readonly #lead: string
  readonly #pairs: readonly Pair[]
  readonly #separator: string

  /**
   * @param separator between parts that are appended
   * @throws {EngineError} `illegal_argument_exception`: `Unable to parse pattern: …`
   */
  constructor(pattern: string, separator: string) {
    this.#pattern = pattern
    this.#separator = separator
    const start = pattern.indexOf('%{')
    this.#lead = start < 0 ? '' : pattern.slice(0, start)
    const pairs = Array.from(
      pattern.slice(this.#lead.length).matchAll(PAIR),
      ([, key, delimiter]) => ({
        key: parseKey(key!),
        delimiter: delimiter!,
      }),
    )
    if (pairs.length === 0) throw unparsed(pattern, 'Unable to find any keys or delimiters.')
    this.#pairs = withAppended(pairs)
    checkReferences(pattern, this.#pairs)
  }

  /**
   * The fields of a text, by name.
   * @throws {EngineError} `illegal_argument_exception`: the text does not have the pattern's form
   */
  apply(text: string): Map<string, string> {
    const values = this.#values(text)
    if (values === null)
      throw new IllegalArgumentError(
        `Unable to find match for dissect pattern: ${this.#pattern} against source: ${text}`,
      )
    return this.#fields(values)
  }

  /** The value of each key; null where the text has another form. */
  #values(text: string): string[] | null {
    const pairs = this.#pairs
    const lead = this.#lead
    if (text.length <= lead.length || !text.startsWith(lead)) return null
    const values: string[] = []
    let at = 0
    let start = lead.length
    let { delimiter } = pairs[0]!
    while (delimiter !== '') {
      const end = text.indexOf(delimiter, start)
      if (end < 0) break
      values.push(text.slice(start, end))
      let next = end + delimiter.length
      // Delimiters in a row are padding, or have empty values between them.
      while (text.startsWith(delimiter, next)) {
        next += delimiter.length
        if (pairs[at]!.key.isPadded) continue
        if (at + 1 >= pairs.length) break
        at++
        values.push('')
      }
      start = next
      if (at + 1 >= pairs.length) break
      at++
      delimiter = pairs[at]!.delimiter
    }
    if (values.length < pairs.length && delimiter === '') values.push(text.slice(start))
    return values.length === pairs.length ? values : null
  }

  #fields(values: readonly string[]): Map<string, string> {
    const fields = new Map<string, string>()
    const names = new Map<string, string>()
    const appended = new Map<string, { readonly order: number; readonly value: string }[]>()
    let order = 0
    for (const [i, { key }] of this.#pairs.entries()) {
      const value = values[i]!
      if (key.kind === 'plain') fields.set(key.name, value)
      else if (key.kind === 'name') names.set(key.name, value)
      else if (key.kind === 'append') {
        const parts = appended.get(key.name) ?? []
        parts.push({ order: key.order ?? order++, value })
        appended.set(key.name, parts)
      }
    }
    for (const [i, { key }] of this.#pairs.entries())
      if (key.kind === 'value') fields.set(names.get(key.name)!, values[i]!)
    for (const [name, parts] of appended) {
      parts.sort((a, b) => a.order - b.order)
      fields.set(name, parts.map(({ value }) => value).join(this.#separator))
    }
    return fields
  }
}

function parseKey(text: string): Key {
  const [, sign = '', name = '', order, padding] = KEY.exec(text)!
  const kind = sign === '' && name === '' ? 'skip' : KINDS[sign]!
  // Only what is appended has an order.
  const whole = kind === 'append' || order === undefined ? name : `${name}/${order}`
  if (whole === '' && kind !== 'skip')
    throw new IllegalArgumentError(
      `Unable to parse key: ${text} Reason: The key name could not be determined`,
    )
  const isOrdered = kind === 'append' && order !== undefined
  return {
    kind,
    name: whole,
    order: isOrdered ? Number(order) : null,
    isPadded: padding !== undefined,
  }
}

/** Plain keys with the name of one that is appended are its first part. */
function withAppended(pairs: readonly Pair[]): readonly Pair[] {
  const names = new Set(pairs.filter(({ key }) => key.kind === 'append').map(({ key }) => key.name))
  return pairs.map(pair =>
    pair.key.kind === 'plain' && names.has(pair.key.name)
      ? { ...pair, key: { ...pair.key, kind: 'append' } }
      : pair,
  )
}

/** Each name of a field needs its value, and each value its name. */
function checkReferences(pattern: string, pairs: readonly Pair[]): void {
  const named = (kind: KeyKind): string[] =>
    pairs.filter(({ key }) => key.kind === kind).map(({ key }) => key.name)
  const [names, values] = [named('name'), named('value')]
  const lone = [
    ...names.filter(name => !values.includes(name)),
    ...values.filter(name => !names.includes(name)),
  ]
  if (lone.length > 0 || names.length !== values.length)
    throw unparsed(
      pattern,
      `Found invalid key/reference associations: '${lone.join(',')}' Please ensure each '*<key>' is matched with a matching '&<key>`,
    )
}

function unparsed(pattern: string, reason: string): IllegalArgumentError {
  return new IllegalArgumentError(`Unable to parse pattern: ${pattern} Reason: ${reason}`)
}
