import COpenSSL
public import GatewayModel

extension OpenSSLCipher: AuthenticatedCipher {
    private static let tagLength = 16

    public func seal(
        _ plain: [UInt8], key: AES256Key, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]? {
        guard nonce.count == 12, let context = CipherContext() else { return nil }
        return context.seal(plain, key, nonce, associatedData, tagLength: Self.tagLength)
    }

    public func open(
        _ sealed: [UInt8], key: AES256Key, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]? {
        guard nonce.count == 12, sealed.count >= Self.tagLength, let context = CipherContext() else {
            return nil
        }
        return context.open(sealed, key, nonce, associatedData, tagLength: Self.tagLength)
    }
}

/// The order of calls is that of EVP_EncryptInit(3), "GCM and OCB Modes"; the nonce has the length of 12 bytes
/// that GCM has by default.
extension CipherContext {
    fileprivate borrowing func seal(
        _ plain: [UInt8], _ key: AES256Key, _ nonce: [UInt8], _ data: [UInt8], tagLength: Int
    ) -> [UInt8]? {
        var sealed = [UInt8](repeating: 0, count: plain.count + tagLength)
        var (length, rest): (Int32, Int32) = (0, 0)
        guard EVP_EncryptInit_ex(pointer, EVP_aes_256_gcm(), nil, key.bytes, nonce) == 1,
            data.isEmpty || EVP_EncryptUpdate(pointer, nil, &length, data, Int32(data.count)) == 1,
            EVP_EncryptUpdate(pointer, &sealed, &length, plain, Int32(plain.count)) == 1
        else { return nil }
        let isSealed = sealed.withUnsafeMutableBufferPointer { buffer -> Bool in
            guard let start = buffer.baseAddress, Int(length) == plain.count else { return false }
            // Writes nothing in this mode: all of it is out.
            return EVP_EncryptFinal_ex(pointer, start + plain.count, &rest) == 1
                && EVP_CIPHER_CTX_ctrl(
                    pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), start + plain.count) == 1
        }
        return isSealed ? sealed : nil
    }

    fileprivate borrowing func open(
        _ sealed: [UInt8], _ key: AES256Key, _ nonce: [UInt8], _ data: [UInt8], tagLength: Int
    ) -> [UInt8]? {
        let count = sealed.count - tagLength
        var tag = Array(sealed.suffix(tagLength))
        // One byte more: an empty array has no address to give.
        var plain = [UInt8](repeating: 0, count: count + 1)
        var (length, rest): (Int32, Int32) = (0, 0)
        var end: UInt8 = 0
        guard EVP_DecryptInit_ex(pointer, EVP_aes_256_gcm(), nil, key.bytes, nonce) == 1,
            data.isEmpty || EVP_DecryptUpdate(pointer, nil, &length, data, Int32(data.count)) == 1,
            EVP_DecryptUpdate(pointer, &plain, &length, sealed, Int32(count)) == 1, Int(length) == count,
            EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1,
            // The check of the tag: nothing is given out before it.
            EVP_DecryptFinal_ex(pointer, &end, &rest) == 1
        else { return nil }
        plain.removeLast()
        return plain
    }
}
