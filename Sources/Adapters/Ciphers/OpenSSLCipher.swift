import COpenSSL
public import WireFormats

/// AES by OpenSSL's libcrypto: of 128 bits for encrypted advertisements and resolvable addresses, of 256 bits for data
/// at rest. Stateless: any thread.
public struct OpenSSLCipher: AdvertisingCipher {
    public init() {}

    public func openCCM(
        key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) -> [UInt8]? {
        // The lengths that CCM allows (RFC 3610, section 2); OpenSSL takes the lengths from here.
        guard (7...13).contains(nonce.count), (4...16).contains(tag.count), tag.count.isMultiple(of: 2),
            let context = CipherContext()
        else { return nil }
        return context.openCCM(
            key: key, nonce: nonce, associatedData: associatedData, ciphertext: ciphertext, tag: tag)
    }

    public func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]? {
        guard block.count == 16, let context = CipherContext() else { return nil }
        return context.encryptBlock(block, key: key)
    }
}

extension CipherContext {
    /// The order of calls is prescribed (EVP_EncryptInit(3), "CCM Mode"): lengths and tag before the key, the message's
    /// length before associated data, and the message in one piece. Its result is the check of the tag.
    fileprivate borrowing func openCCM(
        key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) -> [UInt8]? {
        var tag = tag
        // One byte more: an empty array has no address.
        var plain = [UInt8](repeating: 0, count: ciphertext.count + 1)
        var length: Int32 = 0
        guard EVP_DecryptInit_ex(pointer, EVP_aes_128_ccm(), nil, nil, nil) == 1,
            EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1,
            EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
            EVP_DecryptInit_ex(pointer, nil, nil, key.bytes, nonce) == 1,
            EVP_DecryptUpdate(pointer, nil, &length, nil, Int32(ciphertext.count)) == 1,
            associatedData.isEmpty
                || EVP_DecryptUpdate(pointer, nil, &length, associatedData, Int32(associatedData.count)) == 1,
            EVP_DecryptUpdate(pointer, &plain, &length, ciphertext, Int32(ciphertext.count)) == 1
        else { return nil }
        return Array(plain.prefix(Int(length)))
    }

    fileprivate borrowing func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]? {
        // Room for one block more than the input (EVP_EncryptUpdate(3)).
        var result = [UInt8](repeating: 0, count: 32)
        var length: Int32 = 0
        guard EVP_EncryptInit_ex(pointer, EVP_aes_128_ecb(), nil, key.bytes, nil) == 1,
            EVP_CIPHER_CTX_set_padding(pointer, 0) == 1,
            EVP_EncryptUpdate(pointer, &result, &length, block, 16) == 1, length == 16
        else { return nil }
        return Array(result.prefix(16))
    }
}
