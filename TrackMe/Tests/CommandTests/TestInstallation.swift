import Foundation
import SQLDatabase
import SQLiteEngine
import Schema
import Store
import TestSupport
import Testing

/// Keys, settings and database of a server, on which the built program runs its commands.
struct TestInstallation {
    private let scratch: ScratchDirectory
    let file: DatabasePool
    let stores: Stores

    init() async throws {
        scratch = try ScratchDirectory()
        let folder = scratch.file("trackme").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let keys = try await BuiltProgram.answer(of: [BuiltProgram.trackme, "keys", "--directory", folder])
        try #require(keys.code == 0, "\(keys)")
        try """
        origin = "https://trackme.example"
        operator = "Test clinic"
        issuer_key_file = "\(folder)/issuer.jwk"
        master_key_file = "\(folder)/master.key"
        state_directory = "\(folder)"

        [broker]
        host = "127.0.0.1"
        tls = false
        """.write(toFile: folder + "/trackme.toml", atomically: true, encoding: .utf8)
        file = try DatabasePool(path: folder + "/trackme.sqlite", migrations: Schema.migrations)
        stores = Stores(in: file)
    }

    /// Runs `trackme WORDS` with these settings.
    func run(_ words: String..., input: [String] = []) async throws -> BuiltProgram.Answer {
        try await run(words, input: input)
    }

    func run(_ words: [String], input: [String] = []) async throws -> BuiltProgram.Answer {
        try await BuiltProgram.answer(
            of: [BuiltProgram.trackme] + words
                + ["--config", scratch.file("trackme").appending(path: "trackme.toml").path], input: input)
    }

    func write(_ text: String, to name: String) throws -> String {
        let file = scratch.file(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }
}
