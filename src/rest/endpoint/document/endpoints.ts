/** The endpoints of documents. */
import type { Endpoint } from '../../endpoint.ts'
import { bulk } from './bulk.ts'
import { createDocument, deleteDocument, indexDocument } from './document.ts'
import { getDocument, getSource } from './get.ts'
import { multiGet } from './multi-get.ts'
import { updateDocument } from './update.ts'

/** Written, changed, read and deleted, one by one and in bulk. */
export const DOCUMENT_ENDPOINTS: readonly Endpoint[] = [
  bulk,
  indexDocument,
  createDocument,
  updateDocument,
  getDocument,
  getSource,
  multiGet,
  deleteDocument,
]
