/** Component templates: put, deleted. */

import { settingsOfNewIndex } from '../../schema/setting-registry.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { PutTemplate } from '../api/templates.ts'
import { parseComponentTemplate } from '../metadata/template.ts'
import type { Node } from '../node/node.ts'
import { checkBody, compose, layersMadeBy } from './compose.ts'
import { checkTemplateName, chosen, templateMissing } from './template-names.ts'

/**
 * Puts a component template; durable when it resolves.
 * @throws {EngineError} it cannot be, or an index template that is composed of it could not any more
 */
export async function putComponentTemplate(
  node: Node,
  call: PutTemplate,
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  const { name, body, create, cause } = call
  const component = parseComponentTemplate(body)
  checkTemplateName(name, [])
  settingsOfNewIndex(component.template.settings ?? new Map())
  checkBody(node, compose(node, [component.template], null))
  await node.changes.submit(
    `put-component-template [${name}], cause [${cause}]`,
    'URGENT',
    () => {
      const state = node.metadata.node
      if (create && state.componentTemplates.has(name))
        throw new IllegalArgumentError(`component template [${name}] already exists`)
      const componentTemplates = new Map(state.componentTemplates).set(name, component)
      for (const [user, template] of state.indexTemplates)
        if (template.composedOf.includes(name))
          checkComposite(node, name, user, () =>
            compose(node, layersMadeBy({ componentTemplates }, template), null),
          )
      node.metadata.putNode({ componentTemplates })
    },
    context,
  )
}

function checkComposite(
  node: Node,
  component: string,
  user: string,
  make: () => ReturnType<typeof compose>,
): void {
  try {
    checkBody(node, make())
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new IllegalArgumentError(
      `updating component template [${component}] results in invalid composable template [${user}] ` +
        'after templates are merged',
      { causedBy: error.record },
    )
  }
}

/** Deletes component templates; durable when it resolves. */
export async function deleteComponentTemplates(
  node: Node,
  names: readonly string[],
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  await node.changes.submit(
    `remove-component-template [${names.join(',')}]`,
    'URGENT',
    () => {
      const { componentTemplates, indexTemplates } = node.metadata.node
      const doomed = new Set(
        chosen(componentTemplates, names, templateMissing).map(([name]) => name),
      )
      const users = [...indexTemplates].filter(([, { composedOf }]) =>
        composedOf.some(name => doomed.has(name)),
      )
      const used = new Set(users.flatMap(([, { composedOf }]) => composedOf))
      const inUse = [...doomed].filter(name => used.has(name))
      if (inUse.length > 0)
        throw new IllegalArgumentError(
          `component templates [${inUse.join(', ')}] cannot be removed as they are still in use by ` +
            `index templates [${users.map(([name]) => name).join(', ')}]`,
        )
      node.metadata.putNode({
        componentTemplates: new Map([...componentTemplates].filter(([name]) => !doomed.has(name))),
      })
    },
    context,
  )
}
