/** Templates of the older kind: put, deleted. */
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { PutTemplate } from '../api/templates.ts'
import { checkAliasName } from '../metadata/alias.ts'
import { parseLegacyTemplate } from '../metadata/template.ts'
import type { Node } from '../node/node.ts'
import { checkBody, compose } from './compose.ts'
import { checkTemplateName, chosen, templateMissing } from './template-names.ts'

/** Puts a template of the older kind; durable when it resolves. */
export async function putLegacyTemplate(
  node: Node,
  call: PutTemplate & { readonly order: number | null },
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  const { name, create, cause } = call
  const parsed = parseLegacyTemplate(call.body)
  const template = call.order === null ? parsed : { ...parsed, order: call.order }
  const { indexPatterns, body } = template
  if (indexPatterns.length === 0) throw validationFailed(['index patterns are missing'])
  checkTemplateName(name, indexPatterns)
  for (const alias of body.aliases?.keys() ?? []) {
    checkAliasName(alias.replaceAll('{index}', 'index'))
    if (indexPatterns.some(pattern => pattern === alias))
      throw new IllegalArgumentError(
        `Alias [${alias}] cannot be the same as any pattern in [${indexPatterns.join(', ')}]`,
      )
  }
  checkBody(node, compose(node, [body], null))
  await node.changes.submit(
    `create-index-template [${name}], cause [${cause}]`,
    'URGENT',
    () => {
      const { legacyTemplates } = node.metadata.node
      if (create && legacyTemplates.has(name))
        throw new IllegalArgumentError(`index_template [${name}] already exists`)
      node.metadata.putNode({ legacyTemplates: new Map(legacyTemplates).set(name, template) })
    },
    context,
  )
}

/** Deletes templates of the older kind; durable when it resolves. */
export async function deleteLegacyTemplates(
  node: Node,
  pattern: string,
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  await node.changes.submit(
    `remove-index-template [${pattern}]`,
    'URGENT',
    () => {
      const { legacyTemplates } = node.metadata.node
      const doomed = chosen(legacyTemplates, [pattern], templateMissing)
      if (doomed.length === 0 && !matchesWildcard(pattern, '')) throw templateMissing(pattern)
      const names = new Set(doomed.map(([name]) => name))
      node.metadata.putNode({
        legacyTemplates: new Map([...legacyTemplates].filter(([name]) => !names.has(name))),
      })
    },
    context,
  )
}
