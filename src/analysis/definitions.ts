/** The components that an index's settings define: `index.analysis.⟨kind⟩.⟨name⟩.⟨option⟩`. */
import { IllegalArgumentError } from '../util/errors.ts'
import type { ComponentOptions } from './options.ts'

const PREFIX = 'index.analysis.'
const KINDS = ['analyzer', 'normalizer', 'tokenizer', 'filter', 'char_filter'] as const

/** A kind of component, as settings name it. */
export type ComponentKind = (typeof KINDS)[number]

/** Name → options, for each kind. */
export type Definitions = Readonly<Record<ComponentKind, ReadonlyMap<string, ComponentOptions>>>

/**
 * Reads the definitions out of an index's flat settings.
 * @throws {IllegalArgumentError} a key that is none of a component
 */
export function readDefinitions(
  settings: ReadonlyMap<string, string | readonly string[]>,
): Definitions {
  const kinds: Record<ComponentKind, Map<string, Map<string, string | readonly string[]>>> = {
    analyzer: new Map(),
    normalizer: new Map(),
    tokenizer: new Map(),
    filter: new Map(),
    char_filter: new Map(),
  }
  for (const [key, value] of settings) {
    if (!key.startsWith(PREFIX)) continue
    const rest = key.slice(PREFIX.length)
    const first = rest.indexOf('.')
    const last = startOfOption(rest)
    const kind = KINDS.find(known => known === rest.slice(0, first))
    if (kind === undefined || last === first)
      throw new IllegalArgumentError(`unknown setting [${key}]`)
    // A list may come as one text or as numbered items.
    const isItem = /^\d+$/.test(rest.slice(last + 1))
    const end = isItem ? startOfOption(rest.slice(0, last)) : last
    const name = rest.slice(first + 1, end)
    const option = rest.slice(end + 1, isItem ? last : undefined)
    const options = kinds[kind].get(name) ?? new Map<string, string | readonly string[]>()
    kinds[kind].set(name, options)
    const before = options.get(option)
    const items = typeof before === 'object' ? before : []
    options.set(option, isItem && typeof value === 'string' ? [...items, value] : value)
  }
  return kinds
}

/** Index of the dot ahead of an option's name: the last one, but for options that are objects. */
function startOfOption(key: string): number {
  const script = key.indexOf('.script.')
  return script < 0 ? key.lastIndexOf('.') : script
}
