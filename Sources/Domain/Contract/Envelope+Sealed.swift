public import GatewayModel

extension Envelope {
    /// The same message for the owner of one key alone: what it tells is in `sealed`, and beside it stands only its
    /// id and the name of the key.
    ///
    /// The text that it is bound to is made of its topic, the key's name and its id: moved to another topic, or given
    /// out as another message, it does not open. The id is that of the content: a relay that keeps one message of each id
    /// must not drop a reading that left with others the second time.
    ///
    /// - Returns: nil where nothing can be sealed to the key. It must not leave unsealed then.
    public func sealed(to key: ThirdParty.SealingKey, by sealer: any MessageSealer) -> Envelope? {
        // None of them can hold a line break.
        let info = [Self.sealedVersion, topic, key.id.text, contentID.description].joined(separator: "\n")
        guard let sealed = sealer.seal(payload, to: key, info: Array(info.utf8)) else { return nil }
        var json = FlatJSON()
        json.add("id", contentID.description)
        json.add("kid", key.id.text)
        json.add("sealed", Base64URL.encode(sealed))
        return Envelope(
            id: id, lane: lane, retention: retention, disclosure: disclosure, topic: topic,
            payload: json.finished(), isRetained: isRetained, expiry: expiry, isGathered: isGathered,
            contentID: contentID, arrived: arrived)
    }

    /// Which cipher suite and which text: another one has another name.
    private static let sealedVersion = "trackme-sealed-v1"
}
