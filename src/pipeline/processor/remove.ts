import { javaText } from '../../script/value/java-text.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { isMetadata } from '../document-metadata.ts'
import { type FieldPath, parsePath } from '../field-path.ts'
import type { IngestDocument } from '../ingest-document.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** Metadata that every document has. */
const KEPT = new Set(['_index', '_version', '_version_type'])

/** `remove`: fields that are named, or all but those. */
export const REMOVE: ProcessorType = {
  name: 'remove',
  parse(config) {
    const field = config.value('field')
    const exclude = config.value('exclude_field')
    if ((field === null) === (exclude === null))
      throw config.fault('field', 'either field or exclude_field must be set')
    const ignoresMissing = config.flag('ignore_missing', false)
    const key = field === null ? 'exclude_field' : 'field'
    const given = field ?? exclude
    const templates = (Array.isArray(given) ? given : [given]).map(item =>
      config.template(key, javaText(item)),
    )
    if (field === null)
      return changes(document => {
        const kept = new Set(templates.map(template => template(document)))
        for (const name of document.fields.keys())
          if (!kept.has(javaText(name)) && !isMetadata(javaText(name))) document.fields.delete(name)
      })
    return changes(document => {
      for (const template of templates) removeOne(document, template(document), ignoresMissing)
    })
  },
}

function removeOne(document: IngestDocument, name: string, ignoresMissing: boolean): void {
  const path = name === '' ? null : parsePath(name)
  if (path === null || !document.has(path)) {
    if (ignoresMissing) return
    throw new IllegalArgumentError(
      path === null ? 'field path cannot be null nor empty' : `field [${name}] doesn't exist`,
    )
  }
  checkMetadata(document, path)
  document.remove(path)
}

function checkMetadata(document: IngestDocument, { text }: FieldPath): void {
  if (KEPT.has(text)) throw new IllegalArgumentError(`cannot remove metadata field [${text}]`)
  if (text !== '_id') return
  const type = document.fields.get('_version_type') ?? null
  if (type === null || type === 'internal') return
  throw new IllegalArgumentError(
    'cannot remove metadata field [_id] when specifying external version for the document, ' +
      `version: ${javaText(document.fields.get('_version') ?? null)}, version_type: ${javaText(type)}`,
  )
}
