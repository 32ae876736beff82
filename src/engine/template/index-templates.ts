/** Index templates: put, deleted, simulated. */
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { PutTemplate, SimulatedTemplate, SimulateTemplate } from '../api/templates.ts'
import { printAliases } from '../metadata/alias.ts'
import type { NodeState } from '../metadata/metadata-store.ts'
import { type IndexTemplate, parseIndexTemplate, printSettings } from '../metadata/template.ts'
import type { Node } from '../node/node.ts'
import { checkBody, compose, layersMadeBy, layersOf, priorityOf, templateFor } from './compose.ts'
import { checkStreamsKeepAny, checkStreamsKeepTemplate } from './stream-templates.ts'
import { checkTemplateName, chosen, invalidTemplate, templateMissing } from './template-names.ts'

/**
 * Puts an index template; durable when it resolves.
 * @returns warnings
 * @throws {EngineError} it cannot be, or could not be told from another one
 */
export async function putIndexTemplate(
  node: Node,
  call: PutTemplate,
  context: CallContext,
): Promise<readonly string[]> {
  node.ensureOpen()
  const { name, create, cause } = call
  const template = parseIndexTemplate(call.body)
  return await node.changes.submit(
    `create-index-template-v2 [${name}], cause [${cause}]`,
    'URGENT',
    () => {
      const state = node.metadata.node
      if (create && state.indexTemplates.has(name))
        throw new IllegalArgumentError(`index template [${name}] already exists`)
      checkIndexTemplate(node, name, template)
      checkStreamsKeepTemplate(state, name, template)
      node.metadata.putNode({ indexTemplates: new Map(state.indexTemplates).set(name, template) })
      return template.composedOf
        .filter(part => state.componentTemplates.get(part)?.deprecated === true)
        .map(part => `index template [${name}] uses deprecated component template [${part}]`)
    },
    context,
  )
}

function checkIndexTemplate(node: Node, name: string, template: IndexTemplate): void {
  const state = node.metadata.node
  checkTemplateName(name, template.indexPatterns)
  const isGlobal = template.indexPatterns.includes('*')
  if (isGlobal && template.template?.settings?.has('index.hidden') === true)
    throw invalidTemplate(
      name,
      'global composable templates may not specify the setting index.hidden',
    )
  const unknown = template.composedOf.filter(part => !state.componentTemplates.has(part))
  if (unknown.length > 0)
    throw invalidTemplate(
      name,
      `index template [${name}] specifies component templates [${unknown.join(', ')}] that do not exist`,
    )
  checkPriority(state, name, template)
  try {
    checkBody(node, compose(node, layersMadeBy(state, template), null))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new IllegalArgumentError(
      `composable template [${name}] template after composition is invalid`,
      { causedBy: error.record },
    )
  }
}

/** Refuses a template whose patterns meet those of another one of the same priority. */
function checkPriority({ indexTemplates }: NodeState, name: string, template: IndexTemplate): void {
  const rivals = [...indexTemplates].filter(
    ([other, { indexPatterns, ...rest }]) =>
      other !== name &&
      priorityOf({ indexPatterns, ...rest }) === priorityOf(template) &&
      doOverlap(template.indexPatterns, indexPatterns),
  )
  if (rivals.length === 0) return
  const names = rivals.map(([other]) => other).join(', ')
  const patterns = rivals
    .map(([other, { indexPatterns }]) => `${other} => [${indexPatterns.join(', ')}]`)
    .join(',')
  throw new IllegalArgumentError(
    `index template [${name}] has index patterns [${template.indexPatterns.join(', ')}] matching ` +
      `patterns from existing templates [${names}] with patterns (${patterns}) that have the same ` +
      `priority [${priorityOf(template)}], multiple index templates may not match during index ` +
      'creation, please use a different priority',
  )
}

/** Two patterns overlap where one of them matches the shortest name of the other, as from 3.6 on. */
function doOverlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some(one =>
    b.some(
      other =>
        matchesWildcard(one, other.replaceAll('*', '')) ||
        matchesWildcard(other, one.replaceAll('*', '')),
    ),
  )
}

/** Deletes index templates; durable when it resolves. */
export async function deleteIndexTemplates(
  node: Node,
  names: readonly string[],
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  await node.changes.submit(
    `remove-index-template-v2 [${names.join(',')}]`,
    'URGENT',
    () => {
      const { indexTemplates } = node.metadata.node
      const doomed = new Set(chosen(indexTemplates, names, templateMissing).map(([name]) => name))
      checkStreamsKeepAny(node.metadata.node, doomed)
      node.metadata.putNode({
        indexTemplates: new Map([...indexTemplates].filter(([name]) => !doomed.has(name))),
      })
    },
    context,
  )
}

/**
 * Composes a template without storing anything.
 * @returns null where no template matches the index
 * @throws {EngineError} as a put of the body; `illegal_argument_exception`: no template of the name
 */
export function simulateTemplate(node: Node, call: SimulateTemplate): SimulatedTemplate | null {
  node.ensureOpen()
  const state = node.metadata.node
  const found = simulated(node, call)
  if (found === null) return null
  const { name, template } = found
  const body = compose(node, layersOf(state, template), call.index)
  checkBody(node, body)
  return {
    settings: printSettings(body.settings, call.isFlat),
    mappings: body.mappings === null ? {} : jsonValueOf(body.mappings),
    aliases: printAliases(body.aliases),
    overlapping: overlappingOf(state, name, template),
  }
}

function simulated(
  node: Node,
  { name, index, body, create }: SimulateTemplate,
): { readonly name: string | null; readonly template: IndexTemplate } | null {
  const state = node.metadata.node
  if (body !== null) {
    const template = parseIndexTemplate(body)
    const shownName = name ?? 'simulate_template'
    if (create && name !== null && state.indexTemplates.has(name))
      throw new IllegalArgumentError(`index template [${name}] already exists`)
    checkIndexTemplate(node, shownName, template)
    if (index === null) return { name, template }
    // Considered beside those that are stored.
    const indexTemplates = new Map(state.indexTemplates).set(shownName, template)
    return templateFor({ indexTemplates }, index)
  }
  if (index !== null) return templateFor(state, index)
  const stored = name === null ? undefined : state.indexTemplates.get(name)
  if (stored === undefined)
    throw new IllegalArgumentError(`unable to simulate template [${name}] that does not exist`)
  return { name, template: stored }
}

/** Templates of both kinds whose patterns meet those of one, in order of name. */
function overlappingOf(
  { indexTemplates, legacyTemplates }: NodeState,
  name: string | null,
  { indexPatterns }: IndexTemplate,
): SimulatedTemplate['overlapping'] {
  return [...[...indexTemplates].filter(([other]) => other !== name), ...legacyTemplates]
    .filter(([, other]) => doOverlap(indexPatterns, other.indexPatterns))
    .map(([other, template]) => ({ name: other, indexPatterns: template.indexPatterns }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
