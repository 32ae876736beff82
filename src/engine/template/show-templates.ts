/** Templates as they print. */
import { EngineError } from '../../util/errors.ts'
import type { ShownTemplate, ShowTemplates } from '../api/templates.ts'
import {
  printComponentTemplate,
  printIndexTemplate,
  printLegacyTemplate,
} from '../metadata/template.ts'
import type { Node } from '../node/node.ts'
import { chosen } from './template-names.ts'

/** Component templates by their names. */
export function showComponentTemplates(
  node: Node,
  { names, isFlat }: ShowTemplates,
): ShownTemplate[] {
  const missing = (name: string): EngineError => notFound('component', name)
  return chosen(node.metadata.node.componentTemplates, names, missing).map(([name, template]) => ({
    name,
    template: printComponentTemplate(template, isFlat),
  }))
}

/** Index templates by their names. */
export function showIndexTemplates(node: Node, { names, isFlat }: ShowTemplates): ShownTemplate[] {
  const missing = (name: string): EngineError => notFound('index', name)
  return chosen(node.metadata.node.indexTemplates, names, missing).map(([name, template]) => ({
    name,
    template: printIndexTemplate(template, isFlat),
  }))
}

/** Templates of the older kind by their names, without those that are missing. */
export function showLegacyTemplates(node: Node, { names, isFlat }: ShowTemplates): ShownTemplate[] {
  return chosen(node.metadata.node.legacyTemplates, names, null).map(([name, template]) => ({
    name,
    template: printLegacyTemplate(template, isFlat),
  }))
}

function notFound(kind: 'component' | 'index', name: string): EngineError {
  return new EngineError({
    type: 'resource_not_found_exception',
    reason: `${kind} template matching [${name}] not found`,
  })
}
