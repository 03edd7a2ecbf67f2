import GatewayModel

/// Payload that only the owner of one key can read: the plain payload is in `sealed`, and beside it stand its id and the
/// name of the key. `request` is for relays: it is not bound to the text, which has it too.
enum SealedPayload {
    /// Cipher suite and form of the bound text: another one has another name.
    private static let version = "trackme-sealed-v1"

    /// The sealed text is bound to topic, name of the key and id: moved to another topic, or given out as another message,
    /// it does not open.
    ///
    /// - Parameters:
    ///   - id: of the content. A relay that keeps one message of each id must not drop a reading that left with others the
    ///     second time.
    ///   - request: that the copy answers.
    /// - Returns: nil where nothing can be sealed to the key.
    static func json(
        of plain: [UInt8], topic: String, id: MessageID, answering request: RequestID?,
        to key: ThirdParty.SealingKey, by sealer: any MessageSealer
    ) -> [UInt8]? {
        // None of them can hold a line break.
        let info = [version, topic, key.id.text, id.description].joined(separator: "\n")
        guard let sealed = sealer.seal(plain, to: key, info: Array(info.utf8)) else { return nil }
        var json = FlatJSON()
        json.add("id", id.description)
        json.add("kid", key.id.text)
        json.add("request", request?.text)
        json.add("sealed", Base64URL.encode(sealed))
        return json.finished()
    }
}
