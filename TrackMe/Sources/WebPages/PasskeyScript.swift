/// Elements of a page with the script of passkeys.
enum PasskeyScript {
    static let (part, challenge, failed, known, unable) = (
        "passkey", "passkey-challenge", "passkey-failed", "passkey-known", "passkey-unable"
    )
}
