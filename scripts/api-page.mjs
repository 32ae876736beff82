// Writes docs/api.md from the tables by which requests are checked; with --check it only says whether
// what is committed is current.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GROUPS_OF_SYSTEMS, GROUPS_WITHOUT_SOURCE } from '../dist/rest/endpoint/node/no-source.js'
import { formOf } from '../dist/rest/param-form.js'
import { COMMON_PARAMS } from '../dist/rest/params.js'
import { AREAS } from '../dist/rest/routes.js'
import { UNSUPPORTED_ROUTES } from '../dist/rest/unsupported-routes.js'

const BODIES = {
  none: 'No body.',
  json: 'Body: JSON, may be absent.',
  'json-alone': 'Body: JSON, may be absent.',
  'json-unread': 'Body: JSON, may be absent.',
  'json-required': 'Body: JSON.',
  bytes: 'Body: a document in JSON.',
  lines: 'Body: lines of JSON.',
}

const undescribed = []

function parameters(table, of) {
  const built = []
  const refused = []
  for (const name of Object.keys(table).sort()) {
    const form = formOf(table[name])
    if (form === undefined) undescribed.push(`${of}: ${name}`)
    if (form === 'not supported yet') refused.push(`\`${name}\``)
    else built.push(`\`${name}\` (${form})`)
  }
  const lines = []
  if (built.length > 0) lines.push(`Parameters: ${built.join(', ')}.`)
  if (refused.length > 0) lines.push(`Not supported yet: ${refused.join(', ')}.`)
  return lines
}

function section(endpoint) {
  const routes = endpoint.routes.map(([method, path]) => `\`${method} ${path}\``)
  const [, path] = endpoint.routes[0]
  return [
    `### ${routes.join(', ')}`,
    `Action \`${endpoint.action}\`. ${BODIES[endpoint.body]}`,
    ...parameters(endpoint.params, path),
  ].join('\n\n')
}

const parts = [
  '# The API',
  'Every endpoint with the parameters that it takes; anything else is refused with the names that are alike. Parts of a ' +
    'path may be given as parameters where a route of the endpoint lacks them. This page is made by `npm run api-page` from the tables that requests are checked by.',
  `Every endpoint takes beside its own: ${parameters(COMMON_PARAMS, 'all')[0].slice('Parameters: '.length)}`,
  'Where callers are asked for a user, `perform_permission_check` (boolean) is one more: it answers `accessAllowed` and ' +
    '`missingPrivileges` in place of making the request.',
]
for (const [area, endpoints] of Object.entries(AREAS))
  parts.push(`## ${area}`, ...endpoints.map(section))
parts.push(
  '## Not supported yet',
  'These answer 400 and say so, each for its reason.',
  UNSUPPORTED_ROUTES.map(
    ([methods, path, reason]) => `- \`${methods.replaceAll(' ', ', ')} ${path}\`: ${reason}`,
  ).join('\n'),
)
const rows = table =>
  Object.entries(table)
    .map(([group, reason]) => `- \`${group}\`: ${reason}`)
    .join('\n')
parts.push(
  '## Statistics without a source',
  'These groups of `GET /_nodes/stats` are always `{}`:',
  rows(GROUPS_WITHOUT_SOURCE),
  'These are where the system does not tell:',
  rows(GROUPS_OF_SYSTEMS),
)
if (undescribed.length > 0) {
  console.error(`readers of these say nothing of their values:\n${undescribed.join('\n')}`)
  process.exit(1)
}
const page = `${parts.join('\n\n')}\n`
const target = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'api.md')
if (!process.argv.includes('--check')) writeFileSync(target, page)
else if (readFileSync(target, 'utf8') !== page) {
  console.error('docs/api.md is not what the tables say: run npm run api-page')
  process.exit(1)
}
