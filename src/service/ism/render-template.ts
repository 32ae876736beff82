import type { EngineApi } from '../../engine/api/engine-api.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import type { Template } from './policy/message.ts'

/**
 * The text of a template.
 * @param ctx what `{{ctx}}` stands for in it
 * @throws {EngineError} it does not compile
 */
export function renderTemplate(
  engine: EngineApi,
  { source, params }: Template,
  ctx: JsonRecord,
): string {
  // A text without a tag stands for itself: names and messages often have none.
  if (!source.includes('{{')) return source
  return engine.scripts.renderText(source, parseJsonTree(writeJson({ ...params, ctx })))
}

/** The same with what a name may be made of. */
export function renderName(
  engine: EngineApi,
  template: Template,
  index: { readonly name: string; readonly uuid: string },
): string {
  return renderTemplate(engine, template, { index: index.name, indexUuid: index.uuid })
}
