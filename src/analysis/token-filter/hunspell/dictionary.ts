/**
 * A Hunspell dictionary: the words of a .dic file with their flags, and the affix rules of an .aff
 * file, read as Lucene reads them. Entries for compounds and suggestions alone are passed over.
 */
import { IllegalArgumentError } from '../../../util/errors.ts'
import { lowerCase } from '../../tokenizer/unicode-tables.ts'
import { type Condition, parseCondition } from './condition.ts'
import { type FlagReader, flagReader } from './flags.ts'

const MOST_WORDS = 4_000_000
const MOST_AFFIXES = 200_000
const MOST_ALIASES = 200_000

/** Flags as one text, a UTF-16 unit each. */
export type Flags = string

/** A rule that makes a word of a stem: takes `strip` away and puts the affix in its place. */
export interface Affix {
  readonly flag: string
  readonly strip: string
  /** Null for none. */
  readonly condition: Condition | null
  readonly crossProduct: boolean
  /** Flags of affixes that may follow this one. */
  readonly continuation: Flags
}

/** A word as the dictionary has it. */
export interface WordForm {
  readonly flags: Flags
  /** Its stem where that is another word, null where it is itself. */
  readonly stem: string | null
  /** Index of its line. */
  readonly line: number
}

/** Flags with a meaning of their own, null for none. */
interface SpecialFlags {
  circumfix: string | null
  keepCase: string | null
  needAffix: string | null
  onlyInCompound: string | null
}

/** Words and rules of a language. */
export class HunspellDictionary {
  readonly prefixes: Map<string, Affix[]> = new Map()
  readonly suffixes: Map<string, Affix[]> = new Map()
  longestPrefix = 0
  longestSuffix = 0
  readonly special: SpecialFlags = {
    circumfix: null,
    keepCase: null,
    needAffix: null,
    onlyInCompound: null,
  }
  complexPrefixes = false
  /** Whether any affix may follow another. */
  twoStageAffix = false
  /** Whether a rule may leave nothing. */
  fullStrip = false
  #alternateCasing = false
  readonly #words = new Map<string, WordForm[]>()
  #readFlags: FlagReader = flagReader('char')
  #aliases: Flags[] | null = null
  #morphAliases: string[] | null = null
  #ignored = ''
  #inputs: Conversions | null = null
  #outputs: Conversions | null = null
  #affixCount = 0

  /**
   * @param affixes lines of the .aff file
   * @param words lines of the .dic file, the first of which counts the others
   * @throws {IllegalArgumentError} a file that is damaged, or not UTF-8
   */
  constructor(affixes: readonly string[], words: readonly string[]) {
    this.#checkEncoding(affixes)
    this.#readAffixes(affixes)
    this.#readWords(words)
  }

  /** Forms of a word, null for none. */
  lookup(word: string): readonly WordForm[] | null {
    return this.#words.get(word) ?? null
  }

  /** A word as the rules expect it. */
  clean(word: string): string {
    let made = word
    if (this.#ignored !== '') {
      made = ''
      for (const letter of word.split('')) if (!this.#ignored.includes(letter)) made += letter
    }
    return this.#inputs?.apply(made) ?? made
  }

  /** A stem as it is to come out. */
  finish(stem: string): string {
    return this.#outputs?.apply(stem) ?? stem
  }

  /** Lower case of a letter in the language of the dictionary. */
  fold(letter: string): string {
    if (this.#alternateCasing) {
      if (letter === 'I') return 'ı'
      if (letter === 'İ') return 'i'
    }
    return String.fromCharCode(lowerCase(letter.charCodeAt(0)))
  }

  #checkEncoding(lines: readonly string[]): void {
    for (const line of lines) {
      const encoding = /^SET\s+(.*)$/.exec(line)?.[1]?.trim()
      if (encoding === undefined) continue
      if (encoding.toUpperCase() === 'UTF-8') return
      throw new IllegalArgumentError(
        `hunspell dictionaries must be UTF-8, but the affix file says [SET ${encoding}]`,
      )
    }
    throw new IllegalArgumentError('Unexpected end of affix file.')
  }

  #readAffixes(lines: readonly string[]): void {
    let at = 0
    /** The next lines of a table; fewer where the file ends. */
    const take = (count: number): readonly string[] => {
      const taken = lines.slice(at, at + count)
      at += taken.length
      return taken
    }
    while (at < lines.length) {
      const line = lines[at++]!
      const [key = '', argument = ''] = line.split(/\s+/)
      if (line.startsWith('AF')) this.#addAlias(line)
      else if (line.startsWith('AM')) this.#addMorphAlias(line)
      else if (line.startsWith('PFX')) this.#addRules(line, take, false)
      else if (line.startsWith('SFX')) this.#addRules(line, take, true)
      else if (line.startsWith('FLAG')) this.#readFlags = flagReader(argument)
      else if (line.startsWith('IGNORE')) this.#ignored = argument
      else if (line.startsWith('ICONV')) this.#inputs = new Conversions(take(countOf(argument)))
      else if (line.startsWith('OCONV')) this.#outputs = new Conversions(take(countOf(argument)))
      else if (line.startsWith('FULLSTRIP')) this.fullStrip = true
      else if (line === 'COMPLEXPREFIXES') this.complexPrefixes = true
      else if (line.startsWith('LANG'))
        this.#alternateCasing = argument === 'tr_TR' || argument === 'az_AZ'
      else this.#readSpecial(key, argument)
    }
  }

  #readSpecial(key: string, argument: string): void {
    const names: Readonly<Record<string, keyof SpecialFlags>> = {
      CIRCUMFIX: 'circumfix',
      KEEPCASE: 'keepCase',
      NEEDAFFIX: 'needAffix',
      PSEUDOROOT: 'needAffix',
      ONLYINCOMPOUND: 'onlyInCompound',
    }
    const name = Object.hasOwn(names, key) ? names[key] : undefined
    if (name !== undefined) this.special[name] = this.#oneFlag(argument)
  }

  /** `SFX flag Y|N count`, then as many `SFX flag strip affix[/flags] [condition]`. */
  #addRules(header: string, take: (count: number) => readonly string[], isSuffix: boolean): void {
    const [, , cross, count = ''] = header.split(/\s+/)
    for (const line of take(countOf(count))) {
      const parts = line.split(/\s+/)
      if (parts.length < 4)
        throw new IllegalArgumentError(
          `The affix file contains a rule with less than four elements: ${line}`,
        )
      if (++this.#affixCount > MOST_AFFIXES)
        throw new IllegalArgumentError(`an affix file may have at most [${MOST_AFFIXES}] rules`)
      const [, flag = '', stripText = '', affixText = '', conditionText = '.'] = parts
      const slash = affixText.lastIndexOf('/')
      const written = slash < 0 ? affixText : affixText.slice(0, slash)
      const strip = stripText === '0' ? '' : stripText
      const continuation = slash < 0 ? '' : this.#flags(affixText.slice(slash + 1))
      if (slash >= 0) this.twoStageAffix = true
      const affix = this.clean(written === '0' ? '' : written)
      const table = isSuffix ? this.suffixes : this.prefixes
      const rules = table.get(affix) ?? []
      table.set(affix, rules)
      rules.push({
        flag: this.#oneFlag(flag),
        strip,
        condition: conditionText === strip ? null : parseCondition(conditionText, isSuffix),
        crossProduct: cross === 'Y',
        continuation,
      })
      if (isSuffix) this.longestSuffix = Math.max(this.longestSuffix, affix.length)
      else this.longestPrefix = Math.max(this.longestPrefix, affix.length)
    }
  }

  #readWords(lines: readonly string[]): void {
    let count = 0
    for (let i = 1; i < lines.length; i++) {
      const line = lines[i]!
      if (line === '' || '/#\t'.includes(line[0]!)) continue
      if (++count > MOST_WORDS)
        throw new IllegalArgumentError(`a dictionary may have at most [${MOST_WORDS}] words`)
      const end = morphologyStart(line)
      const { word, flags } = splitEntry(line.slice(0, end))
      const form = {
        flags: flags === null ? '' : this.#flags(flags),
        stem: this.#stemOf(line.slice(end)),
        line: i,
      }
      const key = this.clean(word)
      const forms = this.#words.get(key)
      if (forms === undefined) this.#words.set(key, [form])
      else forms.push(form)
    }
    // Lucene sorts its lines, with a low sign before the flags and a lower one before the rest.
    const tail = ({ line }: WordForm): string => {
      const text = lines[line]!
      const end = morphologyStart(text)
      const { flags } = splitEntry(text.slice(0, end))
      return `${flags === null ? '' : `\u001f${flags}`}\u001e${text.slice(end)}`
    }
    for (const forms of this.#words.values())
      if (forms.length > 1) forms.sort((one, other) => (tail(one) < tail(other) ? -1 : 1))
  }

  /** Stem that morphology names: ` st:stem`. */
  #stemOf(morphology: string): string | null {
    let text = morphology
    const alias = Number(text.trim())
    if (this.#morphAliases !== null && text.trim() !== '' && Number.isInteger(alias))
      text = this.#morphAliases[alias - 1] ?? text
    return /[ \t]st:([^ \t]*)/.exec(text)?.[1] ?? null
  }

  #addAlias(line: string): void {
    const [, argument = ''] = line.split(/\s+/)
    if (this.#aliases === null) this.#aliases = []
    else if (this.#aliases.length < MOST_ALIASES) this.#aliases.push(this.#readFlags(argument))
  }

  #addMorphAlias(line: string): void {
    if (this.#morphAliases === null) this.#morphAliases = []
    else if (this.#morphAliases.length < MOST_ALIASES) this.#morphAliases.push(line.slice(2))
  }

  #flags(text: string): Flags {
    if (this.#aliases === null || this.#aliases.length === 0) return this.#readFlags(text)
    const flags = this.#aliases[Number(text) - 1]
    if (flags === undefined) throw new IllegalArgumentError(`Bad flag alias number:${text}`)
    return flags
  }

  #oneFlag(text: string): string {
    const flags = this.#readFlags(text)
    if (flags.length !== 1) throw new IllegalArgumentError(`expected only one flag, got: ${text}`)
    return flags
  }
}

/** Replacements of letters, the longest at each place. */
class Conversions {
  readonly #pairs = new Map<string, string>()
  #longest = 0

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const [, from, to] = line.split(/\s+/)
      if (from === undefined || from === '' || to === undefined)
        throw new IllegalArgumentError(`invalid syntax: ${line}`)
      this.#pairs.set(from, to)
      this.#longest = Math.max(this.#longest, from.length)
    }
  }

  apply(text: string): string {
    let made = ''
    for (let at = 0; at < text.length; ) {
      let length = Math.min(this.#longest, text.length - at)
      while (length > 0 && !this.#pairs.has(text.slice(at, at + length))) length--
      made += length === 0 ? text[at] : this.#pairs.get(text.slice(at, at + length))
      at += Math.max(length, 1)
    }
    return made
  }
}

function countOf(text: string): number {
  if (!/^\d{1,7}$/.test(text))
    throw new IllegalArgumentError(`[${text}] is no count of lines in an affix file`)
  return Number(text)
}

/** Where the morphology of an entry begins: at a tab, or at ` xx:`. */
function morphologyStart(line: string): number {
  const found = /\t| (?=\p{L}\p{L}:)/u.exec(line)
  return found === null ? line.length : found.index
}

/** Word and flags of an entry `word/flags`; `\/` is a slash. */
function splitEntry(entry: string): { readonly word: string; readonly flags: string | null } {
  let word = ''
  for (let at = 0; at < entry.length; at++) {
    const letter = entry[at]!
    if (letter === '/') return { word, flags: entry.slice(at + 1).trimEnd() }
    word += letter === '\\' && at + 1 < entry.length ? entry[++at] : letter
  }
  return { word, flags: null }
}
