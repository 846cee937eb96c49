// Conversations in the browser's IndexedDB: what the list needs in one store, whole trees in
// another.
import type { Conversation } from './tree'

export interface Entry {
  id: string
  title: string
  updated: number
}

let opening: Promise<IDBDatabase> | undefined

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('ingle', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('entries', { keyPath: 'id' })
      request.result.createObjectStore('conversations', { keyPath: 'id' })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opening
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function change(work: (entries: IDBObjectStore, conversations: IDBObjectStore) => void) {
  const transaction = (await database()).transaction(['entries', 'conversations'], 'readwrite')
  work(transaction.objectStore('entries'), transaction.objectStore('conversations'))
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}

export const entryOf = ({ id, title, updated }: Conversation): Entry => ({ id, title, updated })

export function save(...conversations: Conversation[]): Promise<void> {
  return change((entries, trees) => {
    for (const conversation of conversations) {
      entries.put(entryOf(conversation))
      trees.put(conversation)
    }
  })
}

export function remove(id: string): Promise<void> {
  return change((entries, trees) => {
    entries.delete(id)
    trees.delete(id)
  })
}

export function removeAll(): Promise<void> {
  return change((entries, trees) => {
    entries.clear()
    trees.clear()
  })
}

async function store(name: 'entries' | 'conversations'): Promise<IDBObjectStore> {
  return (await database()).transaction(name).objectStore(name)
}

export async function loadEntries(): Promise<Entry[]> {
  const entries: Entry[] = await result((await store('entries')).getAll())
  return entries.sort((a, b) => b.updated - a.updated)
}

export async function load(id: string): Promise<Conversation | undefined> {
  return result((await store('conversations')).get(id))
}

export async function loadAll(): Promise<Conversation[]> {
  return result((await store('conversations')).getAll())
}

// The ids of conversations in whose title or text every word of the query occurs.
export async function search(query: string): Promise<Set<string>> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = new Set<string>()
  const request = (await store('conversations')).openCursor()
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const cursor = request.result
      if (!cursor) return resolve(found)
      const conversation: Conversation = cursor.value
      const texts = Object.values(conversation.turns).map((turn) => turn.content)
      const text = [conversation.title, ...texts].join('\n').toLowerCase()
      if (words.every((word) => text.includes(word))) found.add(conversation.id)
      cursor.continue()
    }
  })
}
