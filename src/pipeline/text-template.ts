/**
 * Templates of texts over a document, in mustache: names find the document's fields and metadata, and
 * `_source` and `_ingest` beside them.
 */

import { compileTemplate as compileMustache } from '../script/mustache/render-template.ts'
import { newDocumentRun } from '../script/script-run.ts'
import type { ScriptValue } from '../script/value/script-value.ts'
import type { IngestDocument } from './ingest-document.ts'

/** Renders a template for a document. */
export type TextTemplate = (document: IngestDocument) => string

/** Milliseconds that a template may take for one document. */
const MAX_MILLIS = 1000

/**
 * Compiles a template; a text without tags gives itself.
 * @throws {EngineError} `script_exception`: it cannot be parsed
 */
export function compileTemplate(text: string): TextTemplate {
  if (!text.includes('{{')) return () => text
  const template = compileMustache(text)
  const run = newDocumentRun(MAX_MILLIS)
  return document => {
    run.restart()
    const { fields, ingest } = document
    const model = new Map<ScriptValue, ScriptValue>(fields)
    model.set('_source', fields).set('_ingest', ingest)
    const rendered = template.render(model, run)
    document.charge(rendered.length)
    return rendered
  }
}
