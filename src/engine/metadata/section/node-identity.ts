import { newUuid } from '../uuid.ts'
import type { MetadataSection } from './metadata-section.ts'
import { textAt } from './stored-values.ts'

/** Ids that a node has for good. */
export interface StoredIdentity {
  readonly nodeId: string
  readonly clusterUuid: string
}

/** `{"node_id": …, "cluster_uuid": …}`; a new node makes both. */
export const NODE_IDENTITY: MetadataSection<StoredIdentity> = {
  name: 'node',
  version: 1,
  isRequired: true,
  empty: () => ({ nodeId: newUuid(), clusterUuid: newUuid() }),
  // The body of before had both keys among others.
  upgrade: content => content,
  parse: content => ({
    nodeId: textAt(content, 'node_id'),
    clusterUuid: textAt(content, 'cluster_uuid'),
  }),
  print: ({ nodeId, clusterUuid }) => ({ node_id: nodeId, cluster_uuid: clusterUuid }),
}
