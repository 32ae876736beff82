/** The endpoints of documents. */
import type { Endpoint } from '../../endpoint.ts'
import { bulk } from './bulk.ts'
import { createDocument, deleteDocument, getDocument, indexDocument } from './document.ts'

/** Written, read and deleted, one by one and in bulk. */
export const DOCUMENT_ENDPOINTS: readonly Endpoint[] = [
  bulk,
  indexDocument,
  createDocument,
  getDocument,
  deleteDocument,
]
