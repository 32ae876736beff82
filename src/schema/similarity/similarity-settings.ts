/** Similarities that an index defines: `index.similarity.NAME.*`. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { floatText } from '../../util/json/float-text.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { Settings, type SettingValue } from '../settings.ts'
import {
  flagOf,
  floatOf,
  nonNegativeOf,
  PREFIX,
  type SimilarityGroup,
  textOf,
} from './similarity-group.ts'
import type { SimilarityModel } from './similarity-model.ts'
import { SIMILARITY_MODELS } from './similarity-models.ts'

/** A similarity as settings define it. */
export type SimilarityDefinition =
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'bm25'
      /** Float32. */
      readonly k1: number
      readonly b: number
      /** Whether scores are 1 + k1 times as great, as those of older releases were. */
      readonly isLegacy: boolean
      readonly countsOverlaps: boolean
    }
  | { readonly kind: 'model'; readonly model: SimilarityModel }
  | {
      readonly kind: 'scripted'
      /** As a request would write it. */
      readonly script: JsonValue
      /** Null: every weight is 1. */
      readonly weightScript: JsonValue
      /** Whether lengths count tokens that stand where the one before does. */
      readonly countsOverlaps: boolean
    }

interface SimilarityType {
  /** Settings that it takes: keys, or beginnings of keys that end in a dot. */
  readonly keys: readonly string[]
  /** @throws {IllegalArgumentError} a value that it does not take */
  read(group: SimilarityGroup): SimilarityDefinition
}

const OVERLAPS = 'discount_overlaps'

/** The types that definitions may have. */
const TYPES: ReadonlyMap<string, SimilarityType> = new Map<string, SimilarityType>([
  ['BM25', { keys: ['k1', 'b', OVERLAPS], read: group => bm25(group, false) }],
  ['LegacyBM25', { keys: ['k1', 'b', OVERLAPS], read: group => bm25(group, true) }],
  ['boolean', { keys: [], read: () => ({ kind: 'boolean' }) }],
  ['scripted', { keys: [OVERLAPS, 'script.', 'weight_script.'], read: scripted }],
  ...[...SIMILARITY_MODELS].map(([type, { keys, read }]): [string, SimilarityType] => [
    type,
    { keys, read: group => ({ kind: 'model', model: read(group) }) },
  ]),
])

/** Names that fields may use without a definition. */
const BUILT_IN: ReadonlyMap<string, SimilarityDefinition | null> = new Map([
  ['BM25', null],
  ['default', null],
  [
    'LegacyBM25',
    { kind: 'bm25', k1: Math.fround(1.2), b: 0.75, isLegacy: true, countsOverlaps: false },
  ],
  ['boolean', { kind: 'boolean' }],
])

const read = new WeakMap<Settings, ReadonlyMap<string, SimilarityDefinition>>()

/**
 * The similarities of an index by name; `default` is that of fields without one.
 * @throws {IllegalArgumentError} a definition that no type takes
 */
export function definedSimilarities(settings: Settings): ReadonlyMap<string, SimilarityDefinition> {
  let defined = read.get(settings)
  if (defined === undefined) {
    defined = new Map(
      [...groupsOf(settings)].map(([name, values]) => [name, definition({ name, values })]),
    )
    read.set(settings, defined)
  }
  return defined
}

/**
 * The similarity of a field; null: BM25 with its default parameters.
 * @param name as its mapping says; null: it does not
 */
export function similarityNamed(
  name: string | null,
  settings: Settings,
): SimilarityDefinition | null {
  const defined = definedSimilarities(settings)
  if (name === null) return defined.get('default') ?? null
  return BUILT_IN.get(name) ?? defined.get(name) ?? null
}

/** Whether a mapping may name a similarity. */
export function hasSimilarity(name: string, settings: Settings): boolean {
  return BUILT_IN.has(name) || definedSimilarities(settings).has(name)
}

/** Whether lengths of fields with a similarity count tokens that stand where the one before does. */
export function countsOverlaps(name: string | null, settings: Settings): boolean {
  const similarity = similarityNamed(name, settings)
  return similarity !== null && 'countsOverlaps' in similarity && similarity.countsOverlaps
}

/** Settings of each definition, without the prefix. */
function groupsOf(settings: Settings): ReadonlyMap<string, Map<string, SettingValue>> {
  const groups = new Map<string, Map<string, SettingValue>>()
  for (const [key, value] of settings.toMap()) {
    if (!key.startsWith(PREFIX)) continue
    const dot = key.indexOf('.', PREFIX.length)
    const name = key.slice(PREFIX.length, dot < 0 ? undefined : dot)
    if (!groups.has(name)) groups.set(name, new Map())
    if (dot >= 0) groups.get(name)!.set(key.slice(dot + 1), value)
  }
  return groups
}

function definition(group: SimilarityGroup): SimilarityDefinition {
  const { name, values } = group
  if (TYPES.has(name))
    throw new IllegalArgumentError(`Cannot redefine built-in Similarity [${name}]`)
  const type = textOf(group, 'type')
  if (type === null)
    throw new IllegalArgumentError(`Similarity [${name}] must have an associated type`)
  if (type === 'classic')
    throw new IllegalArgumentError(
      'The [classic] similarity may not be used anymore. Please use the [BM25] similarity or ' +
        'build a custom [scripted] similarity instead.',
    )
  const known = TYPES.get(type)
  if (known === undefined)
    throw new IllegalArgumentError(`Unknown Similarity type [${type}] for [${name}]`)
  const takes = (key: string): boolean =>
    key === 'type' ||
    known.keys.some(each => (each.endsWith('.') ? key.startsWith(each) : key === each))
  const unknown = [...values.keys()].filter(key => !takes(key))
  if (unknown.length > 0)
    throw new IllegalArgumentError(
      `Unknown settings for similarity of type [${type}]: [${unknown.join(', ')}]`,
    )
  return known.read(group)
}

function bm25(group: SimilarityGroup, isLegacy: boolean): SimilarityDefinition {
  const k1 = nonNegativeOf(group, 'k1', 1.2, 'k1')
  const b = floatOf(group, 'b', 0.75)
  if (!(b >= 0 && b <= 1))
    throw new IllegalArgumentError(`illegal b value: ${floatText(b)}, must be between 0 and 1`)
  return { kind: 'bm25', k1, b, isLegacy, countsOverlaps: overlapsOf(group) }
}

function scripted(group: SimilarityGroup): SimilarityDefinition {
  const part = (key: string): JsonValue => {
    const own = [...group.values].filter(([each]) => each.startsWith(`${key}.`))
    if (own.length === 0) return null
    const nested = new Settings(own.map(([each, value]) => [each.slice(key.length + 1), value]))
    return nested.toJson(false)
  }
  return {
    kind: 'scripted',
    script: part('script') ?? new Map(),
    weightScript: part('weight_script'),
    countsOverlaps: overlapsOf(group),
  }
}

function overlapsOf(group: SimilarityGroup): boolean {
  return !flagOf(group, OVERLAPS, true)
}
