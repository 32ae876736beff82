/**
 * `join`: which documents of an index are parents and children of which others. A document has the
 * name of its relation; the ids that tie children to parents go to a hidden keyword for each parent
 * name, `⟨field⟩#⟨parent⟩`: a parent's holds its own id, a child's that of its parent.
 */
import { IllegalArgumentError } from '../../util/errors.ts'
import { JSON_TOKENS, type JsonToken } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'
import { addJoin, type JoinRole, readJoin } from '../join-value.ts'
import { describeNode } from '../json-conversion.ts'
import type { LeafValues } from '../leaf-values.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import { booleanParameter, parameter } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'

/** A field of relations; their names are values as those of a keyword. */
export interface JoinField extends MappedField {
  readonly type: 'join'
  readonly docValues: true
  /** The children of each parent. */
  readonly relations: ReadonlyMap<string, readonly string[]>
}

/** The field type `join`. */
export const join: FieldKind<JoinField> = {
  parameters: [
    booleanParameter('eager_global_ordinals', true, { updateable: true, printsDefault: true }),
    parameter('relations', null, parseRelations),
  ],
  rules: [
    name => {
      if (name.includes('.'))
        throw new IllegalArgumentError(
          `join field [${name}] cannot be added inside an object or in a multi-field`,
        )
    },
    (name, given) => checkParents(name, relationsOf(given.get('relations') ?? null)),
  ],
  build: (name, values) => ({
    name,
    type: 'join',
    indexed: true,
    parameters: new Map<string, JsonValue>([
      ['eager_global_ordinals', values.flag('eager_global_ordinals')],
      ['relations', values.value('relations') ?? new Map()],
    ]),
    docValues: true,
    relations: relationsOf(values.value('relations')),
  }),
  storage: () => ({
    kind: 'terms',
    indexOptions: 'docs',
    hasNorms: false,
    docValues: 'ordinals',
    normalizer: null,
  }),
  addValue: addRelation,
  addObject: (field, ordinal, values) =>
    addRelation(field, ordinal, JSON_TOKENS.objectStart, values),
  fills: ({ name, relations }) => [...relations.keys()].map(parent => parentIdsName(name, parent)),
  onePerIndex: 'parent-join',
  checkUpdate: checkRelations,
}

function addRelation(
  { name, relations }: JoinField,
  ordinal: number,
  token: JsonToken,
  values: LeafValues,
): void {
  const parents = [...relations]
  // The fields of ids stand behind the field, in the order of the parents.
  const idsOf = (at: number): number => (at < 0 ? -1 : ordinal + 1 + at)
  const roleOf = (relation: string): JoinRole | null => {
    const ownIds = idsOf(parents.findIndex(([parent]) => parent === relation))
    const parentIds = idsOf(parents.findIndex(([, children]) => children.includes(relation)))
    return ownIds < 0 && parentIds < 0 ? null : { ownIds, parentIds }
  }
  addJoin(name, ordinal, readJoin(values.reader, token, name), roleOf, values)
}

/** The name of the hidden field of ids for a parent. */
export function parentIdsName(field: string, parent: string): string {
  return `${field}#${parent}`
}

function parseRelations(node: JsonNode, field: string): JsonValue {
  if (node.kind !== 'object')
    throw mapperParsingError(`[relations] of join field [${field}] must be an object`)
  const printed = new Map<string, JsonValue>()
  for (const { key, value } of node.entries) {
    const children = value.kind === 'array' ? value.items : [value]
    if (children.some(child => child.kind !== 'string'))
      throw mapperParsingError(
        `[relations] of join field [${field}] must name children, got [${describeNode(value)}]`,
      )
    const names = [...new Set(children.map(describeNode))]
    printed.set(key, names.length === 1 ? names[0]! : names)
  }
  return printed
}

function relationsOf(value: JsonValue): Map<string, readonly string[]> {
  const relations = new Map<string, readonly string[]>()
  if (!(value instanceof Map)) return relations
  for (const [parent, children] of value as JsonMap)
    relations.set(parent, Array.isArray(children) ? (children as string[]) : [String(children)])
  return relations
}

/** A child has one parent. */
function checkParents(name: string, relations: ReadonlyMap<string, readonly string[]>): void {
  const seen = new Set<string>()
  const conflicts: string[] = []
  for (const child of [...relations.values()].flat()) {
    if (seen.has(child)) conflicts.push(`[${child}] cannot have multiple parents`)
    seen.add(child)
  }
  if (conflicts.length > 0)
    throw new IllegalArgumentError(
      `invalid definition for join field [${name}]:\n[${conflicts.join(', ')}]`,
    )
}

/**
 * Lays an update of relations over the old ones: parents and children are added, none is removed.
 * @throws {IllegalArgumentError} names would go, or change their part
 */
function checkRelations(old: JoinField, update: JoinField): void {
  const conflicts: string[] = []
  const children = (of: JoinField): Set<string> => new Set([...of.relations.values()].flat())
  const [oldChildren, newChildren] = [children(old), children(update)]
  for (const [parent, names] of old.relations) {
    const kept = update.relations.get(parent)
    if (kept === undefined)
      conflicts.push(`cannot remove parent [${parent}] in join field [${old.name}]`)
    for (const child of names)
      if (kept !== undefined && !kept.includes(child))
        conflicts.push(`cannot remove child [${child}] in join field [${old.name}]`)
  }
  for (const parent of update.relations.keys())
    if (!old.relations.has(parent) && oldChildren.has(parent))
      conflicts.push(`cannot create parent [${parent}] from an existing child`)
  for (const child of newChildren)
    if (!oldChildren.has(child) && old.relations.has(child))
      conflicts.push(`cannot create child [${child}] from an existing parent`)
  if (conflicts.length > 0)
    throw new IllegalArgumentError(
      `invalid update for join field [${old.name}]:\n[${conflicts.join(', ')}]`,
    )
}
