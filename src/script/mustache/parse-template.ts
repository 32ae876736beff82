/**
 * The parser of mustache templates: variables, sections, comments, changed delimiters and the functions
 * `toJson`, `join` and `url` of search templates (contract-scripts S4). There are no partials and no lambdas.
 */
import { mustacheError } from './mustache-error.ts'
import type { TemplateNode } from './template-node.ts'

/** Sections in sections; a parser and a renderer that recurse bound them. */
const MAX_DEPTH = 100

const JOIN_WITH = /^join\s+delimiter='(.*)'$/is

/**
 * Parses a template.
 * @throws {EngineError} `script_exception`: a tag or a section is not closed, a partial, a function without
 *   an identifier
 */
export function parseTemplate(source: string): readonly TemplateNode[] {
  return new TemplateParser(source).parse()
}

/** A tag as it stands in the source. */
interface Tag {
  /** First character: `#`, `^`, `/`, `!`, `&`, `{`, `=`, `>`; a variable has none. */
  readonly sign: string
  readonly name: string
  readonly start: number
  /** Behind its closing delimiter. */
  readonly end: number
}

class TemplateParser {
  readonly #source: string
  #at = 0
  #open = '{{'
  #close = '}}'

  constructor(source: string) {
    this.#source = source
  }

  parse(): readonly TemplateNode[] {
    return this.#until(null, 0)
  }

  /** Parts up to the tag that closes a section, or to the end. */
  #until(section: Tag | null, depth: number): TemplateNode[] {
    if (depth > MAX_DEPTH)
      throw this.#error(`Sections are nested deeper than [${MAX_DEPTH}]`, this.#at)
    const nodes: TemplateNode[] = []
    for (;;) {
      const start = this.#source.indexOf(this.#open, this.#at)
      if (start < 0) {
        if (section !== null)
          throw this.#error(`Failed to close '${section.name}' tag`, section.start)
        pushText(nodes, this.#source.slice(this.#at))
        this.#at = this.#source.length
        return nodes
      }
      const tag = this.#tag(start)
      pushText(nodes, this.#source.slice(this.#at, this.#textEnd(tag)))
      this.#at = this.#nextStart(tag)
      if (tag.sign === '/') {
        if (section?.name === tag.name) return nodes
        throw this.#error(
          `Mismatched start/end tags: ${section?.name ?? null} != ${tag.name}`,
          start,
        )
      }
      const node = this.#nodeOf(tag, depth)
      if (node !== null) nodes.push(node)
    }
  }

  #tag(start: number): Tag {
    const source = this.#source
    let at = start + this.#open.length
    while (source[at] === ' ') at++
    const sign = '#^/!&{=>'.includes(source[at] ?? ' ') ? source[at]! : ''
    const close = sign === '=' ? `=${this.#close}` : this.#close
    const nameEnd = source.indexOf(close, at + sign.length)
    const end = nameEnd + close.length
    // The third brace belongs behind the first two that close.
    if (nameEnd < 0 || (sign === '{' && source[end] !== '}'))
      throw mustacheError(
        `Improperly closed variable in query-template:${this.#line(start)}`,
        source,
      )
    const name = source.slice(at + sign.length, nameEnd).trim()
    return { sign, name, start, end: sign === '{' ? end + 1 : end }
  }

  #nodeOf(tag: Tag, depth: number): TemplateNode | null {
    const { sign, name } = tag
    switch (sign) {
      case '!':
        return null
      case '=':
        this.#changeDelimiters(tag)
        return null
      case '>':
        throw this.#error(`Cannot include partial [${name}]: partials are not supported`, tag.start)
      case '#':
        return this.#sectionOf(tag, depth)
      case '^':
        return { kind: 'inverted', name, inner: this.#until(tag, depth + 1) }
      default:
        return { kind: 'variable', name, isRaw: sign !== '' }
    }
  }

  #sectionOf(tag: Tag, depth: number): TemplateNode {
    const from = this.#at
    const inner = this.#until(tag, depth + 1)
    const { name } = tag
    const lower = name.toLowerCase()
    if (lower === 'tojson') return { kind: 'toJson', name: this.#identifier('toJson', inner, from) }
    if (lower === 'join')
      return { kind: 'join', name: this.#identifier('join', inner, from), delimiter: ',' }
    const join = JOIN_WITH.exec(name)
    if (join !== null)
      return { kind: 'join', name: this.#identifier('join', inner, from), delimiter: join[1]! }
    return lower === 'url' ? { kind: 'url', inner } : { kind: 'section', name, inner }
  }

  /** The name that stands in a function as its only text. */
  #identifier(fn: string, inner: readonly TemplateNode[], from: number): string {
    const [only] = inner
    if (inner.length !== 1 || only?.kind !== 'text')
      throw this.#error(`Mustache function [${fn}] must contain one and only one identifier`, from)
    return only.text.trim()
  }

  #changeDelimiters(tag: Tag): void {
    const [open, close, ...more] = tag.name.split(/\s+/)
    if (!open || !close || more.length > 0)
      throw this.#error(`Invalid delimiter string: ${tag.name}`, tag.start)
    this.#open = open
    this.#close = close
  }

  /** Where the text before a tag ends: a tag alone on its line takes the line's blanks with it. */
  #textEnd(tag: Tag): number {
    return this.#isAlone(tag) ? this.#lineStart(tag.start) : tag.start
  }

  #nextStart(tag: Tag): number {
    return this.#isAlone(tag) ? this.#lineEnd(tag.end) : tag.end
  }

  #isAlone({ sign, start, end }: Tag): boolean {
    if (sign === '' || !'#^/!='.includes(sign)) return false
    const from = this.#lineStart(start)
    // Text of a line whose beginning was read already is not alone on it.
    if (from < this.#at || from < 0) return false
    const to = this.#lineEnd(end)
    return to >= 0 && (from > 0 || this.#source.includes('\n'))
  }

  /** Start of a line of which only blanks stand before an offset; −1: there is more. */
  #lineStart(offset: number): number {
    let at = offset
    while (at > 0 && (this.#source[at - 1] === ' ' || this.#source[at - 1] === '\t')) at--
    return at === 0 || this.#source[at - 1] === '\n' ? at : -1
  }

  /** Behind the end of a line of which only blanks follow an offset; −1: there is more. */
  #lineEnd(offset: number): number {
    let at = offset
    while (this.#source[at] === ' ' || this.#source[at] === '\t' || this.#source[at] === '\r') at++
    if (at >= this.#source.length) return at
    return this.#source[at] === '\n' ? at + 1 : -1
  }

  #line(offset: number): number {
    return this.#source.slice(0, offset).split('\n').length
  }

  #error(reason: string, offset: number): Error {
    return mustacheError(`${reason} @[query-template:${this.#line(offset)}]`, this.#source)
  }
}

function pushText(nodes: TemplateNode[], text: string): void {
  if (text !== '') nodes.push({ kind: 'text', text })
}
