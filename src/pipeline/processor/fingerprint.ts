import { createHash } from 'node:crypto'
import { javaText } from '../../script/value/java-text.ts'
import type { ScriptValue } from '../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { isMetadata } from '../document-metadata.ts'
import { parsePath } from '../field-path.ts'
import type { IngestDocument } from '../ingest-document.ts'
import { changes, type ProcessorType } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'

/** Names of hashes by their methods, whose version says how fields are joined. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['MD5@2.16.0', 'md5'],
  ['SHA-1@2.16.0', 'sha1'],
  ['SHA-256@2.16.0', 'sha256'],
  ['SHA3-256@2.16.0', 'sha3-256'],
])

/** `fingerprint`: a hash over some fields, or over all but some. */
export const FINGERPRINT: ProcessorType = {
  name: 'fingerprint',
  parse(config) {
    const fields = namesOf(config, 'fields')
    const excluded = namesOf(config, 'exclude_fields')
    if (fields.length > 0 && excluded.length > 0)
      throw config.fault('fields', 'either fields or exclude_fields can be set')
    const target = config.pathOf(
      'target_field',
      config.optionalText('target_field') ?? 'fingerprint',
    )
    const method = (config.optionalText('hash_method') ?? 'SHA-1@2.16.0').toUpperCase()
    const hash = METHODS.get(method)
    if (hash === undefined)
      throw config.fault(
        'hash_method',
        'hash method must be MD5@2.16.0, SHA-1@2.16.0 or SHA-256@2.16.0 or SHA3-256@2.16.0',
      )
    const ignoresMissing = config.flag('ignore_missing', false)
    return changes(document => {
      const names =
        fields.length > 0
          ? presentOf(document, fields, ignoresMissing)
          : [...document.fields.keys()].map(javaText).filter(name => !excluded.includes(name))
      const hashed = [...new Set(names)].filter(name => !isMetadata(name)).sort()
      if (hashed.length === 0) return
      let joined = ''
      for (const name of hashed) joined += partOf(name, document.find(parsePath(name)))
      document.charge(joined.length)
      document.set(target, `${method}:${createHash(hash).update(`${joined}|`).digest('base64')}`)
    })
  },
}

function namesOf(config: ProcessorConfig, key: string): string[] {
  return (config.optionalList(key) ?? []).map(item => {
    if (item === null || item === '') throw config.fault(key, 'field name cannot be null nor empty')
    return javaText(item)
  })
}

function presentOf(
  document: IngestDocument,
  fields: readonly string[],
  ignoresMissing: boolean,
): readonly string[] {
  const missing = fields.find(name => !document.has(parsePath(name)))
  if (missing === undefined) return fields
  if (!ignoresMissing) throw new IllegalArgumentError(`field [${missing}] doesn't exist`)
  return fields.filter(name => document.has(parsePath(name)))
}

/** A field with its value, or those within it in order of their paths: `|name|length:value`. */
function partOf(name: string, value: ScriptValue): string {
  if (value instanceof Map)
    return [...value]
      .map(([key, item]): [string, ScriptValue] => [`${name}.${javaText(key)}`, item])
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, item]) => partOf(path, item))
      .join('')
  const text = javaText(value)
  return `|${name}|${text.length}:${text}`
}
