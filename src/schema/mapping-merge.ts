/** A put on an existing mapping: what may change, what is added, and the documented refusals. */
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { Float64, type JsonValue } from '../util/json/json-value.ts'
import { checkAliasTargets } from './alias-targets.ts'
import { checkContextPaths } from './context-paths.ts'
import type { DerivedFields } from './derived-field.ts'
import { isFieldAlias } from './field-alias.ts'
import { buildField } from './field-builder.ts'
import { conflictOfKinds, innerObjectConflict } from './field-parser.ts'
import { fieldKind } from './field-type/field-types.ts'
import { type FieldType, isObjectType, type ObjectType } from './field-type.ts'
import { isSameJson } from './json-conversion.ts'
import { Mapping, type MappingLimits } from './mapping.ts'
import { checkMapping } from './mapping-parser.ts'
import type { KeptSource } from './source-filter.ts'
import { mergeStreamTimestamp } from './stream-timestamp.ts'
import { checkStreamTimestamp } from './stream-timestamp-field.ts'

/**
 * The old mapping with an update laid over it; neither changes.
 * @throws {EngineError} `illegal_argument_exception` or `mapper_exception`: a conflict or a limit
 */
export function mergeMapping(old: Mapping, update: Mapping, limits: MappingLimits): Mapping {
  const a = old.options
  const b = update.options
  const merged = new Mapping(mergeObject(old.root, update.root, limits), {
    dateDetection: b.dateDetection ?? a.dateDetection,
    numericDetection: b.numericDetection ?? a.numericDetection,
    dynamicDateFormats: b.dynamicDateFormats ?? a.dynamicDateFormats,
    dynamicTemplates: b.dynamicTemplates ?? a.dynamicTemplates,
    meta: b.meta ?? a.meta,
    routingRequired: b.routingRequired ?? a.routingRequired,
    source: mergeSource(a.source, b.source),
    streamTimestamp: mergeStreamTimestamp(a.streamTimestamp, b.streamTimestamp),
    derivedFields: mergeDerivedFields(a.derivedFields, b.derivedFields),
  })
  checkMapping(merged, limits)
  checkAliasTargets(merged)
  checkContextPaths(merged)
  checkStreamTimestamp(merged)
  return merged
}

/** Nothing is stored of derived fields, so that a new definition takes the place of an old one. */
function mergeDerivedFields(
  old: DerivedFields | null,
  update: DerivedFields | null,
): DerivedFields | null {
  if (old === null || update === null) return update ?? old
  return new Map([...old, ...update])
}

const WHOLE_SOURCE: KeptSource = { enabled: true, includes: [], excludes: [] }

/** Sources that were left out cannot be made up later, so what is kept of them is fixed. */
function mergeSource(old: KeptSource | null, update: KeptSource | null): KeptSource | null {
  if (update === null) return old
  const from = old ?? WHOLE_SOURCE
  const conflicts = (['enabled', 'includes', 'excludes'] as const)
    .filter(name => !isSameJson(from[name], update[name]))
    .map(
      name =>
        `Cannot update parameter [${name}] from [${show(name, from[name])}] to ` +
        `[${show(name, update[name])}]`,
    )
  if (conflicts.length > 0)
    throw new IllegalArgumentError(
      `Mapper for [_source] conflicts with existing mapper:\n\t${conflicts.join('\n\t')}`,
    )
  return old
}

function mergeObject(old: ObjectType, update: ObjectType, limits: MappingLimits): ObjectType {
  if (update.enabled !== null && update.enabled !== (old.enabled ?? true))
    throw new EngineError({
      type: 'mapper_exception',
      reason:
        "the [enabled] parameter can't be updated for the object mapping " +
        `[${old.name === '' ? '_doc' : old.name}]`,
    })
  checkNested(old, update)
  checkDisableObjects(old, update)
  const children = new Map(old.children)
  for (const [name, entry] of update.children) {
    const existing = children.get(name)
    if (existing === undefined) children.set(name, entry)
    else if (isObjectType(existing) && isObjectType(entry))
      children.set(name, mergeObject(existing, entry, limits))
    else if (isFieldAlias(existing) && isFieldAlias(entry)) children.set(name, entry)
    else if (
      isObjectType(existing) ||
      isObjectType(entry) ||
      isFieldAlias(existing) ||
      isFieldAlias(entry)
    )
      throw new IllegalArgumentError(conflictOfKinds(existing, entry))
    else children.set(name, mergeField(existing, entry, limits))
  }
  return {
    name: old.name,
    dynamic: update.dynamic ?? old.dynamic,
    enabled: old.enabled,
    nested: old.nested,
    disableObjects: old.disableObjects,
    children,
  }
}

/** Names that were read whole cannot be taken apart later, nor the other way round. */
function checkDisableObjects(old: ObjectType, update: ObjectType): void {
  const from = old.disableObjects
  const to = update.disableObjects
  const name = old.name === '' ? '_doc' : old.name
  const refuse = (reason: string): never => {
    throw new EngineError({ type: 'mapper_exception', reason })
  }
  if (from !== null && to !== null && from !== to)
    refuse(
      `Cannot update parameter [disable_objects] from [${from}] to [${to}] for object mapping ` +
        `[${name}]. The disable_objects setting is immutable after index creation.`,
    )
  if (from !== true) return
  for (const [key, entry] of update.children)
    if (isObjectType(entry) && !old.children.has(key)) refuse(innerObjectConflict(entry.name, name))
}

function checkNested(old: ObjectType, update: ObjectType): void {
  if (old.nested === null && update.nested === null) return
  if (update.nested === null)
    throw new IllegalArgumentError('cannot change object mapping from nested to non-nested')
  if (old.nested === null)
    throw new IllegalArgumentError('cannot change object mapping from non-nested to nested')
  for (const [key, from, to] of [
    ['include_in_parent', old.nested.includeInParent, update.nested.includeInParent],
    ['include_in_root', old.nested.includeInRoot, update.nested.includeInRoot],
  ] as const)
    if (to !== null && to !== (from ?? false))
      throw new EngineError({
        type: 'mapper_exception',
        reason: `the [${key}] parameter can't be updated on a nested object mapping`,
      })
}

function mergeField(old: FieldType, update: FieldType, limits: MappingLimits): FieldType {
  if (old.type !== update.type) throw new IllegalArgumentError(conflictOfKinds(old, update))
  const kind = fieldKind(old.type)
  if (kind.checkUpdate !== undefined) {
    kind.checkUpdate(old, update)
    return update
  }
  const conflicts: string[] = []
  const { parameters, isOldStyle } = kind
  for (const parameter of parameters) {
    const from = old.parameters.get(parameter.name) ?? parameter.default
    const to = update.parameters.get(parameter.name) ?? parameter.default
    if (isSameJson(from, to) || (from === null && to === null)) continue
    // Norms that were never written cannot be made up later.
    const isUpdateable = parameter.updateable && !(parameter.name === 'norms' && to === true)
    if (isUpdateable) continue
    conflicts.push(
      isOldStyle === true
        ? `mapper [${old.name}] has different [${parameter.name}] values`
        : `Cannot update parameter [${parameter.name}] from [${show(parameter.name, from)}] ` +
            `to [${show(parameter.name, to)}]`,
    )
  }
  if (conflicts.length > 0 && isOldStyle === true)
    throw new IllegalArgumentError(
      `Mapper for [${old.name}] conflicts with existing mapping:\n[${conflicts.join(', ')}]`,
    )
  if (conflicts.length > 0)
    throw new IllegalArgumentError(
      `Mapper for [${old.name}] conflicts with existing mapper:\n\t${conflicts.join('\n\t')}`,
    )
  const multiFields = [...old.multiFields]
  for (const added of update.multiFields) {
    const at = multiFields.findIndex(existing => existing.name === added.name)
    if (at < 0) multiFields.push(added)
    else multiFields[at] = mergeField(multiFields[at]!, added, limits)
  }
  const { name, type } = old
  return buildField(name, type, update.parameters, update.copyTo, multiFields, limits)
}

function show(name: string, value: JsonValue): string {
  if (value === null) return name.includes('analyzer') ? 'default' : 'null'
  if (value instanceof Float64)
    return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value)
  if (Array.isArray(value)) return `[${value.join(', ')}]`
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${k}=${v}`).join(', ')}}`
  return String(value)
}
