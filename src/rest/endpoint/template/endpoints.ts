/** The endpoints of templates. */
import type { Endpoint } from '../../endpoint.ts'
import {
  deleteComponentTemplates,
  getComponentTemplates,
  putComponentTemplate,
} from './component-templates.ts'
import {
  deleteIndexTemplates,
  getIndexTemplates,
  putIndexTemplate,
  simulateIndex,
  simulateTemplate,
} from './index-templates.ts'
import { deleteLegacyTemplate, getLegacyTemplates, putLegacyTemplate } from './legacy-templates.ts'

/** Component, index and legacy templates. */
export const TEMPLATE_ENDPOINTS: readonly Endpoint[] = [
  putComponentTemplate,
  getComponentTemplates,
  deleteComponentTemplates,
  putIndexTemplate,
  getIndexTemplates,
  deleteIndexTemplates,
  simulateIndex,
  simulateTemplate,
  putLegacyTemplate,
  getLegacyTemplates,
  deleteLegacyTemplate,
]
