/** Char filter `mapping`: texts are replaced by others, the longest first. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { CharFilterFactory } from '../component.ts'
import { type ComponentOptions, listOption, textOption } from '../options.ts'
import type { CharFilterComponent, FilteredText, WordFiles } from '../token-stream.ts'
import { MOST_GROWTH, OffsetMap } from './offset-map.ts'

/** A place in the tree of texts that are replaced. */
interface Branch {
  readonly next: Map<number, Branch>
  replacement: string | null
}

/** `mapping`. */
export const mappingCharFilter: CharFilterFactory = (
  name,
  options,
  context,
): CharFilterComponent => {
  const root = newBranch()
  for (const rule of rulesOf(options, context.words)) addRule(root, rule)
  return { name, isNormalizing: true, filter: text => mapText(root, text) }
}

function rulesOf(options: ComponentOptions, words: WordFiles): readonly string[] {
  const path = textOption(options, 'mappings_path')
  if (path !== null) return words(path).filter(line => line.trim() !== '' && !line.startsWith('#'))
  if (!options.has('mappings'))
    throw new IllegalArgumentError(
      'mapping requires either `mappings` or `mappings_path` to be configured',
    )
  return listOption(options, 'mappings')
}

function newBranch(): Branch {
  return { next: new Map(), replacement: null }
}

function addRule(root: Branch, rule: string): void {
  const at = rule.lastIndexOf('=>')
  if (at < 0) throw new IllegalArgumentError(`Invalid Mapping Rule : [${rule}]`)
  const match = unescaped(rule.slice(0, at).trim(), rule)
  const replacement = unescaped(rule.slice(at + 2).trim(), rule)
  if (match === '') throw new IllegalArgumentError('cannot match the empty string')
  let branch = root
  for (let i = 0; i < match.length; i++) {
    const unit = match.charCodeAt(i)
    let next = branch.next.get(unit)
    if (next === undefined) {
      next = newBranch()
      branch.next.set(unit, next)
    }
    branch = next
  }
  if (branch.replacement !== null)
    throw new IllegalArgumentError(`match "${match}" was already added`)
  branch.replacement = replacement
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])

/** `\n`, `\u00e9` and the like; a backslash before another character leaves it as it is. */
function unescaped(text: string, rule: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char !== '\\') {
      out += char
      continue
    }
    const letter = text[++i]
    if (letter === undefined)
      throw new IllegalArgumentError(`Invalid escaped char in [${text}] of rule [${rule}]`)
    if (letter === 'u') {
      const hex = text.slice(i + 1, i + 5)
      if (!/^[0-9A-Fa-f]{4}$/.test(hex))
        throw new IllegalArgumentError(`Invalid escaped char in [${text}] of rule [${rule}]`)
      out += String.fromCharCode(Number.parseInt(hex, 16))
      i += 4
    } else out += ESCAPES.get(letter) ?? letter
  }
  return out
}

function mapText(root: Branch, text: string): FilteredText {
  const map = new OffsetMap()
  const pieces: string[] = []
  let copied = 0
  let grown = 0
  for (let at = 0; at < text.length; ) {
    // The longest match from here on.
    let branch = root.next.get(text.charCodeAt(at))
    let end = -1
    let replacement = ''
    for (let to = at + 1; branch !== undefined; to++) {
      if (branch.replacement !== null) {
        end = to
        replacement = branch.replacement
      }
      if (to >= text.length) break
      branch = branch.next.get(text.charCodeAt(to))
    }
    if (end < 0) {
      at++
      continue
    }
    pieces.push(text.slice(copied, at), replacement)
    const shorter = end - at - replacement.length
    const before = map.last
    if (shorter > 0) map.add(end - shorter - before, before + shorter)
    // Units more than before are mapped to the end of the match.
    else for (let i = 0; i < -shorter; i++) map.add(end - before + i, before - i - 1)
    grown -= Math.min(shorter, 0)
    if (grown > MOST_GROWTH)
      throw new IllegalArgumentError(
        `mappings make the text of ${text.length} characters longer by more than ${MOST_GROWTH}`,
      )
    at = end
    copied = end
  }
  if (pieces.length === 0) return { text, correct: null }
  pieces.push(text.slice(copied))
  return { text: pieces.join(''), correct: map.correction() }
}
