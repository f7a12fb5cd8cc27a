package io.loadertuner.service.security;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code access_token}. */
@Repository
class TokenStore {
    private static final String SELECT = "select id, name, role, made_at, revoked_at from access_token ";

    private final JdbcClient database;

    TokenStore(JdbcClient database) {
        this.database = database;
    }

    void add(AccessToken token, String digest) {
        database.sql("""
                        insert into access_token (id, name, role, digest, made_at)
                        values (:id, :name, :role, :digest, :madeAt)
                        """)
                .param("id", token.id())
                .param("name", token.name())
                .param("role", token.role().word())
                .param("digest", digest)
                .param("madeAt", token.madeAt().atOffset(ZoneOffset.UTC))
                .update();
    }

    /** The token with that digest, if it is good. */
    Optional<AccessToken> good(String digest) {
        return database.sql(SELECT + "where digest = :digest and revoked_at is null")
                .param("digest", digest)
                .query(TokenStore::row)
                .optional();
    }

    /** Whether there ever was one, revoked or not. */
    boolean any() {
        return database.sql("select count(*) from access_token")
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** All, revoked ones too, in the order in which they were made. */
    List<AccessToken> all() {
        return database.sql(SELECT + "order by made").query(TokenStore::row).list();
    }

    /** Whether there was a good one of that id. */
    boolean revoke(String id, Instant now) {
        return database.sql("update access_token set revoked_at = :now where id = :id and revoked_at is null")
                        .param("now", now.atOffset(ZoneOffset.UTC))
                        .param("id", id)
                        .update()
                == 1;
    }

    private static AccessToken row(ResultSet row, int number) throws SQLException {
        OffsetDateTime revoked = row.getObject("revoked_at", OffsetDateTime.class);
        return new AccessToken(
                row.getString("id"),
                row.getString("name"),
                Role.valueOf(row.getString("role").toUpperCase(Locale.ROOT)),
                row.getObject("made_at", OffsetDateTime.class).toInstant(),
                revoked == null ? null : revoked.toInstant());
    }
}
