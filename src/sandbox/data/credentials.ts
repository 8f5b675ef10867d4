import { hash } from 'node:crypto';
import { Table } from './queries.ts';

/** Returns the digest of a credential, in hexadecimal: the data file holds no credential itself. */
export const digestOf = (credential: string): string => hash('sha256', credential);

export type KeyScope = 'fullAccess' | 'authOnly';

export interface ApiKey {
  readonly name: string;
  readonly scope: KeyScope;
  readonly createdAt: number;
}

/** The API keys besides the one that the sandbox was started with. */
export class ApiKeys extends Table {
  find(digest: string): ApiKey | undefined {
    return this.db.row('SELECT name, scope, created_at AS createdAt FROM api_key WHERE digest = ?', digest);
  }

  add(key: string, facts: ApiKey): void {
    this.save(digestOf(key), facts);
  }

  save(digest: string, { name, scope, createdAt }: ApiKey): void {
    const upsert = 'INSERT OR REPLACE INTO api_key (digest, name, scope, created_at) VALUES (?, ?, ?, ?)';
    this.db.run(upsert, digest, name, scope, createdAt);
  }
}

interface AuthToken {
  readonly uid: string;
  readonly createdAt: number;
}

/** Details of where a token is used. A field that is absent stays unchanged. */
interface TokenDetails {
  readonly platform?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly appInfo?: object | undefined;
}

export class AuthTokens extends Table {
  find(token: string): AuthToken | undefined {
    return this.db.row('SELECT uid, created_at AS createdAt FROM auth_token WHERE digest = ?', digestOf(token));
  }

  add(token: string, { uid, createdAt }: AuthToken): void {
    const insert = 'INSERT OR IGNORE INTO auth_token (digest, uid, created_at) VALUES (?, ?, ?)';
    this.db.run(insert, digestOf(token), uid, createdAt);
  }

  update(token: string, { platform, userAgent, appInfo }: TokenDetails): void {
    const info = appInfo === undefined ? null : JSON.stringify(appInfo);
    this.db.run(
      `UPDATE auth_token SET platform = coalesce(?, platform), user_agent = coalesce(?, user_agent),
         app_info = coalesce(?, app_info) WHERE digest = ?`,
      platform ?? null,
      userAgent ?? null,
      info,
      digestOf(token),
    );
  }
}
