import COpenSSL

/// One EVP_CIPHER_CTX, freed with this value. OpenSSL wipes the key schedule then.
struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    init?() {
        guard let pointer = EVP_CIPHER_CTX_new() else { return nil }
        self.pointer = pointer
    }

    deinit { EVP_CIPHER_CTX_free(pointer) }
}
