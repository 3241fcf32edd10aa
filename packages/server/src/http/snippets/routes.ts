/** Snippets: pieces of script that the scripts of an account share. */
import { routes, type SnippetWrite } from '@vedette/schema'
import { AppError, invalidField, notFound } from '../../app-error.ts'
import { lockConfiguration } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

export function serveSnippets(serve: Serve, db: Db): void {
  serve(routes.listSnippets, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { snippets, total } = await store.listSnippets(db, caller.accountId, page)
    tellPage(request, reply, page, snippets.length, total)
    return snippets
  })

  serve(routes.getSnippet, async ({ params, caller }) => {
    const snippet = await store.findSnippet(db, caller.accountId, params.id)
    if (snippet === undefined) throw notFound()
    return snippet
  })

  serve(routes.createSnippet, ({ body, caller, record }) => {
    assertFileName(body.name)
    return db.transaction().execute(async (tx) => {
      const snippet = await store.insertSnippet(tx, caller.accountId, body)
      if (snippet === undefined) throw nameTaken(body)
      await record(tx, { after: snippet, subject: String(snippet.id) })
      return snippet
    })
  })

  serve(routes.updateSnippet, ({ params, body, caller, record }) => {
    assertFileName(body.name)
    return db.transaction().execute(async (tx) => {
      const before = await store.findSnippet(tx, caller.accountId, params.id, true)
      if (before === undefined) throw notFound()
      const after = await store.updateSnippet(tx, caller.accountId, params.id, body)
      if (after === undefined) throw nameTaken(body)
      await record(tx, { before, after })
      return after
    })
  })

  serve(routes.deleteSnippet, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      // Nobody begins to use it meanwhile.
      await lockConfiguration(tx, caller.accountId)
      const before = await store.findSnippet(tx, caller.accountId, params.id, true)
      if (before === undefined) throw notFound()
      if (await store.isInUse(tx, caller.accountId, params.id)) {
        throw new AppError('conflict', 'A check or a group still uses this snippet.')
      }
      await store.deleteSnippet(tx, caller.accountId, params.id)
      await record(tx, { before })
    })
    return null
  })
}

/** Scripts import the snippet as a file of this name, on whatever system they run. */
function assertFileName(name: string): void {
  if (/[/\\:*?"<>|\p{C}]/u.test(name)) {
    throw invalidField('name', 'must be usable as a file name: without / \\ : * ? " < > | and control characters')
  }
  if (/^[.\s]|[.\s]$/.test(name)) {
    throw invalidField('name', 'must be usable as a file name: not beginning or ending with a dot or a space')
  }
}

function nameTaken({ name }: SnippetWrite): AppError {
  return new AppError('conflict', `There is a snippet "${name}" already.`)
}
